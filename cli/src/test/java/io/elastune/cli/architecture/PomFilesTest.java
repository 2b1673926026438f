package io.elastune.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Node;

class PomFilesTest {

  @Test
  void modulesDeclareNoVersions() {
    List<String> versions = new ArrayList<>();
    PomFiles.ofModules()
        .forEach(
            (module, pom) ->
                PomFiles.elements(pom, "version").stream()
                    .filter(version -> !version.getParentNode().getNodeName().equals("parent"))
                    .map(version -> module + "/pom.xml: " + oneLine(version.getParentNode()))
                    .forEach(versions::add));

    assertThat(versions).as("versions outside the root pom").isEmpty();
  }

  private static String oneLine(Node node) {
    return node.getTextContent().strip().replaceAll("\\s+", " ");
  }
}
