/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.regex.Pattern;

/**
 * What a pool's replicas are set on.
 *
 * @param kind of the object
 * @param apiVersion group and version, {@code group/version}
 * @param namespace of the object
 * @param name of the object
 * @param dryRun whether changes are only told, not made
 */
public record ScaleTarget(TargetKind kind, String apiVersion, String namespace, String name, boolean dryRun) {
    private static final Pattern VERSION = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/v[a-z0-9]+");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    public ScaleTarget {
        require(VERSION, "apiVersion", apiVersion, "group/version, e.g. apps/v1");
        require(
                LABEL,
                "namespace",
                namespace,
                "a label of 1 to 63 of a-z, 0-9 and '-' (pools[].kubernetes.namespace stands in)");
        require(NAME, "name", name, "the name of an object, of a-z, 0-9, '-' and '.'");
    }

    private static void require(Pattern form, String key, String value, String what) {
        if (!form.matcher(value).matches()) {
            throw new IllegalArgumentException(key + " must be " + what + ", was '" + value + "'");
        }
    }

    /** The group of the API. */
    public String group() {
        return apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    /** The version in the group. */
    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /** As people name it, e.g. {@code Deployment llm/chat}. */
    @Override
    public String toString() {
        return kind.kind() + " " + namespace + "/" + name;
    }
}
