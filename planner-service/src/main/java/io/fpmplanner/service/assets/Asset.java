/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.assets;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * One file as it is sent. Its buffer is never written to.
 *
 * @param plain the bytes
 * @param contentType media type
 */
record Asset(Buffer plain, String contentType) {
    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "json", "application/json",
            "html", "text/html; charset=utf-8",
            "txt", "text/plain; charset=utf-8");

    static Asset of(String name, byte[] bytes) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalArgumentException("no media type is known for " + name);
        }
        return new Asset(Buffer.buffer(bytes), type);
    }

    /** The same, compressed by gzip. */
    Buffer zip() {
        byte[] bytes = plain.getBytes();
        ByteArrayOutputStream zipped = new ByteArrayOutputStream(bytes.length / 2 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(zipped) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Buffer.buffer(zipped.toByteArray());
    }
}
