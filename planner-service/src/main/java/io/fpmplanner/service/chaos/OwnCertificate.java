/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A self-signed certificate for this machine, made by the JDK's keytool, and a client that takes whatever is served.
 *
 * @param serial its number
 * @param certificatePem the certificate
 * @param keyPem its private key
 */
record OwnCertificate(BigInteger serial, String certificatePem, String keyPem) {
    private static final String PASSWORD = "changeit";
    private static final int TIMEOUT_MILLIS = 5_000;

    /** Makes one in the directory; valid now, or expired yesterday. */
    static OwnCertificate make(Path directory, String name, boolean valid) throws IOException, InterruptedException {
        Path store = directory.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-startdate",
                "-3d",
                "-validity",
                valid ? "30" : "2"));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said.strip());
        }
        return read(store, name);
    }

    private static OwnCertificate read(Path store, String name) throws IOException {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            X509Certificate certificate = (X509Certificate) keys.getCertificate(name);
            Key key = Objects.requireNonNull(keys.getKey(name, PASSWORD.toCharArray()));
            return new OwnCertificate(
                    certificate.getSerialNumber(),
                    pem("CERTIFICATE", certificate.getEncoded()),
                    pem("PRIVATE KEY", key.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate that was just made cannot be read", e);
        }
    }

    private static String pem(String what, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    /** Connects, asks for health, and tells the serial number of the certificate that was served. */
    static BigInteger served(String host, int port) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port)) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.getOutputStream()
                        .write("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                if (!answer.startsWith("HTTP/1.1 200")) {
                    throw new IOException("answered " + answer.lines().findFirst());
                }
                return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no TLS", e);
        }
    }

    /** What is served is looked at, not believed. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
