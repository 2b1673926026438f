package io.elastune.cli.supply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  /** The start of a range that has no first version. */
  private static final String ALL = "0";

  /** Before the repository, which the name of an ecosystem may have. */
  private static final Pattern COLON = Pattern.compile(":");

  /** How GitHub states the end of a range without a fixed version. */
  private static final Pattern LAST_KNOWN = Pattern.compile("(<=?)\\s*(\\S+)");

  /**
   * The versions of one package that are affected.
   *
   * @param versions listed one by one
   * @param ranges of a system whose versions can be ordered
   */
  private record Affected(
      String ecosystem, String name, TreeSet<String> versions, List<Range> ranges) {
    boolean contains(Component component) {
      if (!ecosystem.equals(component.ecosystem()) || !name.equals(component.name())) {
        return false;
      }
      String version = component.version();
      // Only versions of Maven are ordered here. Entries for others list them, or may concern all.
      return versions.contains(version)
          || (ecosystem.equals(Component.MAVEN)
              ? ranges.stream().anyMatch(range -> range.contains(version))
              : versions.isEmpty() && !ranges.isEmpty());
    }
  }

  /** A version from which on, or after which, a package is affected or no longer affected. */
  private record Event(Kind kind, String version) {
    enum Kind {
      INTRODUCED,
      FIXED,
      LAST_AFFECTED
    }

    boolean isReached(String other) {
      int order = order(other, version);
      return kind == Kind.LAST_AFFECTED ? order > 0 : order >= 0;
    }

    static int order(String one, String other) {
      return one.equals(ALL) || other.equals(ALL)
          ? Boolean.compare(other.equals(ALL), one.equals(ALL))
          : new ComparableVersion(one).compareTo(new ComparableVersion(other));
    }
  }

  /** The last event that a version has reached decides. */
  private record Range(List<Event> events) {
    Range {
      events =
          events.stream()
              .sorted(Comparator.comparing(Event::version, Event::order).thenComparing(Event::kind))
              .toList();
    }

    boolean contains(String version) {
      return events.stream()
          .filter(event -> event.isReached(version))
          .reduce((one, later) -> later)
          .filter(event -> event.kind() == Event.Kind.INTRODUCED)
          .isPresent();
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
      String ecosystem = COLON.split(thing.path("ecosystem").asString(), 2)[0];
      String name = thing.path("name").asString();
      affected.add(
          new Affected(
              ecosystem,
              ecosystem.equals(Component.PYPI) ? Component.normalized(name) : name,
              versions,
              ranges(some)));
    }
    return new Advisory(
        entry.path("id").asString(),
        aliases,
        entry.path("summary").asString(""),
        Instant.parse(entry.path("modified").asString()),
        entry.hasNonNull("withdrawn"),
        affected);
  }

  private static List<Range> ranges(JsonNode affected) {
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : affected.path("ranges")) {
      if (!range.path("type").asString().equals("ECOSYSTEM")) {
        continue;
      }
      List<Event> events = new ArrayList<>();
      for (JsonNode event : range.path("events")) {
        for (Event.Kind kind : Event.Kind.values()) {
          String key = kind.name().toLowerCase(Locale.ROOT);
          if (event.has(key)) {
            events.add(new Event(kind, event.path(key).asString()));
          }
        }
      }
      Matcher lastKnown =
          LAST_KNOWN.matcher(
              affected
                  .path("database_specific")
                  .path("last_known_affected_version_range")
                  .asString(""));
      if (lastKnown.matches()
          && events.stream().allMatch(event -> event.kind() == Event.Kind.INTRODUCED)) {
        Event.Kind kind =
            lastKnown.group(1).equals("<") ? Event.Kind.FIXED : Event.Kind.LAST_AFFECTED;
        events.add(new Event(kind, lastKnown.group(2)));
      }
      ranges.add(new Range(events));
    }
    return ranges;
  }

  /** Whether a component has the vulnerability. */
  boolean concerns(Component component) {
    return affected.stream().anyMatch(some -> some.contains(component));
  }

  /** The systems of the packages that it names. */
  Set<String> ecosystems() {
    return affected.stream().map(Affected::ecosystem).collect(Collectors.toSet());
  }

  /** Whether this is one of its names. */
  boolean isNamed(String name) {
    return id.equals(name) || aliases.contains(name);
  }
}
