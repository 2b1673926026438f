package io.elastune.cli.supply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.maven.artifact.versioning.ComparableVersion;
import tools.jackson.databind.JsonNode;

/**
 * A known vulnerability in the format of OSV.
 *
 * @param id such as {@code GHSA-57j2-w4cx-62h2}
 * @param aliases its other names, such as {@code CVE-2020-36518}
 * @param modified when the entry was last changed
 * @param withdrawn whether it is no longer valid
 * @see <a href="https://ossf.github.io/osv-schema/">The format</a>
 */
record Advisory(
    String id,
    List<String> aliases,
    String summary,
    Instant modified,
    boolean withdrawn,
    List<Affected> affected) {
  /**
   * The versions of one package that are affected.
   *
   * @param versions listed one by one
   * @param ranges of a system whose versions can be ordered
   */
  private record Affected(
      String ecosystem, String name, TreeSet<String> versions, List<Range> ranges) {}

  /** From {@code introduced} to {@code end}; the end is empty if there is none yet. */
  private record Range(String introduced, String end, boolean includesEnd) {
    boolean contains(String version) {
      ComparableVersion one = new ComparableVersion(version);
      if (!introduced.equals("0") && one.compareTo(new ComparableVersion(introduced)) < 0) {
        return false;
      }
      int order = end.isEmpty() ? -1 : one.compareTo(new ComparableVersion(end));
      return order < 0 || (includesEnd && order == 0);
    }
  }

  Advisory {
    aliases = List.copyOf(aliases);
    affected = List.copyOf(affected);
  }

  static Advisory of(JsonNode entry) {
    List<String> aliases = new ArrayList<>();
    entry.path("aliases").forEach(alias -> aliases.add(alias.asString()));
    List<Affected> affected = new ArrayList<>();
    for (JsonNode some : entry.path("affected")) {
      JsonNode thing = some.path("package");
      TreeSet<String> versions = new TreeSet<>();
      some.path("versions").forEach(version -> versions.add(version.asString()));
      affected.add(
          new Affected(
              thing.path("ecosystem").asString(),
              thing.path("name").asString(),
              versions,
              ranges(some)));
    }
    return new Advisory(
        entry.path("id").asString(),
        aliases,
        entry.path("summary").asString(""),
        Instant.parse(entry.path("modified").asString()),
        entry.has("withdrawn"),
        affected);
  }

  private static List<Range> ranges(JsonNode affected) {
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : affected.path("ranges")) {
      String introduced = "";
      if (!range.path("type").asString().equals("ECOSYSTEM")) {
        continue;
      }
      for (JsonNode event : range.path("events")) {
        if (event.has("introduced")) {
          introduced = event.path("introduced").asString();
        } else if (event.has("fixed")) {
          ranges.add(new Range(introduced, event.path("fixed").asString(), false));
          introduced = "";
        } else if (event.has("last_affected")) {
          ranges.add(new Range(introduced, event.path("last_affected").asString(), true));
          introduced = "";
        }
      }
      if (!introduced.isEmpty()) {
        ranges.add(new Range(introduced, "", false));
      }
    }
    return ranges;
  }

  /** Whether a component has the vulnerability. */
  boolean concerns(Component component) {
    return affected.stream()
        .filter(some -> some.ecosystem().equals(component.ecosystem()))
        .filter(some -> some.name().equals(component.name()))
        .anyMatch(
            some ->
                some.versions().contains(component.version())
                    // Only versions of Maven are ordered here; entries for others list them.
                    || (component.ecosystem().equals(Component.MAVEN)
                        && some.ranges().stream()
                            .anyMatch(range -> range.contains(component.version()))));
  }

  /** Whether this is one of its names. */
  boolean isNamed(String name) {
    return id.equals(name) || aliases.contains(name);
  }
}
