package io.elastune.provisioner.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Reads elements of an XML response by name. Loads nothing that the document refers to. */
record XmlDocument(Element root) {
  /**
   * Parses a response.
   *
   * @throws IOException if it is not XML
   */
  static XmlDocument parse(byte[] text) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler()); // the standard one prints on standard error
      Document document = builder.parse(new ByteArrayInputStream(text));
      return new XmlDocument(document.getDocumentElement());
    } catch (SAXException e) {
      throw new IOException("the response is not XML", e);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("every JDK has an XML parser", e);
    }
  }

  /** Returns the name of the root element. */
  String name() {
    return root.getTagName();
  }

  /** Returns all elements of this name below the root. */
  List<XmlDocument> all(String name) {
    List<XmlDocument> found = new ArrayList<>();
    NodeList nodes = root.getElementsByTagName(name);
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element) {
        found.add(new XmlDocument(element));
      }
    }
    return found;
  }

  /** Returns the text of the first element of this name, or an empty text. */
  String text(String name) {
    List<XmlDocument> found = all(name);
    return found.isEmpty() ? "" : found.get(0).root().getTextContent().strip();
  }
}
