package io.elastune.cli.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads the POM files of this build. */
final class PomFiles {

  /** The root folder of the project. Surefire sets {@code basedir} to the module's folder. */
  static final Path ROOT = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  private PomFiles() {}

  /** Returns all POMs except the root's, by module folder relative to the root. */
  static Map<String, Document> ofModules() {
    Map<String, Document> poms = new LinkedHashMap<>();
    collect("", poms);
    poms.remove("");
    return poms;
  }

  static List<Element> elements(Document pom, String name) {
    NodeList found = pom.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static void collect(String folder, Map<String, Document> poms) {
    Document pom = read(ROOT.resolve(folder).resolve("pom.xml"));
    poms.put(folder, pom);
    for (Element module : elements(pom, "module")) {
      String name = module.getTextContent().strip();
      collect(folder.isEmpty() ? name : folder + "/" + name, poms);
    }
  }

  private static Document read(Path pom) {
    try {
      return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(pom.toFile());
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError("Cannot read " + pom, e);
    }
  }
}
