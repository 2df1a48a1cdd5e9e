/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.page;

import java.io.StringWriter;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes a page that is well-formed as XML and valid as HTML: everything is escaped, every element is closed. Attributes
 * are given as names and values in turn. Not threadsafe.
 */
public final class Markup {
    /** Characters that no page can hold; they may occur in the name of a file. */
    private static final Pattern FORBIDDEN = Pattern.compile("[\\p{Cntrl}\\uFFFE\\uFFFF\\p{Cs}&&[^\\n\\t]]");

    private final StringWriter target = new StringWriter();
    private final XMLStreamWriter writer;

    /** Begins a page. */
    public Markup() {
        try {
            writer = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(target);
            writer.writeDTD("<!DOCTYPE html>");
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** Begins an element. */
    public Markup open(String name, String... attributes) {
        try {
            writer.writeStartElement(name);
            writeAttributes(attributes);
            return this;
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** Ends the element begun last. */
    public Markup close() {
        try {
            // Empty text, lest a writer shortens an element without content to a form that HTML does not know.
            writer.writeCharacters("");
            writer.writeEndElement();
            return this;
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** An element that HTML knows to be empty, or an empty one of SVG. */
    public Markup empty(String name, String... attributes) {
        try {
            writer.writeEmptyElement(name);
            writeAttributes(attributes);
            return this;
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** An element with nothing but text. */
    public Markup element(String name, String text, String... attributes) {
        return open(name, attributes).text(text).close();
    }

    /** Text within the element begun last. */
    public Markup text(String text) {
        try {
            writer.writeCharacters(printable(text));
            return this;
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    private void writeAttributes(String... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            writer.writeAttribute(attributes[i], printable(attributes[i + 1]));
        }
    }

    private static String printable(String text) {
        return FORBIDDEN.matcher(text).replaceAll("\uFFFD");
    }

    /** The page so far. */
    public String page() {
        try {
            writer.flush();
            return target + "\n";
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    private static IllegalStateException impossible(XMLStreamException e) {
        return new IllegalStateException("memory refused to be written to", e);
    }
}
