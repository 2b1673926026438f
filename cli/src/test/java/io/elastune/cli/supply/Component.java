package io.elastune.cli.supply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A part of a release from elsewhere.
 *
 * @param ecosystem as in OSV: {@code Maven} or {@code PyPI}
 * @param name such as {@code io.netty:netty-codec} or {@code ray}
 */
record Component(String ecosystem, String name, String version) implements Comparable<Component> {
  static final String MAVEN = "Maven";
  static final String PYPI = "PyPI";

  private static final Pattern PINNED =
      Pattern.compile("^([A-Za-z0-9._-]+)(?:\\[[^]]*])?==([^ ;\\\\]+)");

  /** Returns the components of a list in the format of CycloneDX, without this project's own. */
  static Set<Component> ofSbom(Path sbom) throws IOException {
    Set<Component> components = new TreeSet<>();
    JsonNode list = new ObjectMapper().readTree(Files.readString(sbom));
    for (JsonNode some : list.path("components")) {
      String group = some.path("group").asString();
      if (!group.equals("io.elastune")) {
        String name = group + ":" + some.path("name").asString();
        components.add(new Component(MAVEN, name, some.path("version").asString()));
      }
    }
    return components;
  }

  /** Returns the pinned packages of a requirements file of pip. */
  static List<Component> ofRequirements(Path file) throws IOException {
    List<Component> components = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Matcher pinned = PINNED.matcher(line.strip());
      if (pinned.find()) {
        components.add(new Component(PYPI, normalized(pinned.group(1)), pinned.group(2)));
      }
    }
    return components;
  }

  /** Returns the name under which PyPI compares a package. */
  static String normalized(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[._-]+", "-");
  }

  @Override
  public int compareTo(Component other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return name + " " + version;
  }
}
