package io.elastune.core.config;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.UnquotedScalars;
import io.elastune.core.config.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Command-line options that override fields of the job file, as typed by the user. The same rules
 * validate them. File names are relative to the job file, so callers pass absolute paths.
 *
 * @param deadline {@code --deadline}
 * @param budget {@code --budget}, in USD
 * @param confidence {@code --confidence}
 * @param infra {@code --infra}, already split at commas; empty to use those of the job file
 * @param profiles {@code --profile}; the job contains only the first, and callers read all of them
 * @param offers {@code --offers}
 * @param seed {@code --seed}
 */
public record Overrides(
    Optional<String> deadline,
    Optional<String> budget,
    Optional<String> confidence,
    List<String> infra,
    List<String> profiles,
    Optional<String> offers,
    Optional<String> seed) {
  /** No overrides. */
  public static final Overrides NONE =
      new Overrides(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty());

  public Overrides {
    infra = List.copyOf(infra);
    profiles = List.copyOf(profiles);
  }

  /** Returns these overrides without a seed, which keeps the seed of the job. */
  public Overrides withoutSeed() {
    return new Overrides(deadline, budget, confidence, infra, profiles, offers, Optional.empty());
  }

  /** Returns these overrides with other locations; an empty list keeps those of the job. */
  public Overrides withInfra(List<String> others) {
    return new Overrides(deadline, budget, confidence, others, profiles, offers, seed);
  }

  /** Returns the tree of the job file with these values inserted. */
  MapNode applyTo(MapNode job) {
    MapNode changed = job;
    changed = plain(changed, deadline, "--deadline", "deadline");
    changed = plain(changed, budget, "--budget", "budget", "usd");
    changed = plain(changed, confidence, "--confidence", "confidence");
    changed = plain(changed, seed, "--seed", "search", "seed");
    if (!infra.isEmpty()) {
      changed = put(changed, infraNode(), "resources", "infra");
    }
    if (offers.isPresent()) {
      changed =
          put(changed, text("--offers", "resources.offers", offers.get()), "resources", "offers");
    }
    if (!profiles.isEmpty()) {
      changed = put(changed, text("--profile", "profile.file", profiles.get(0)), "profile", "file");
    }
    return changed;
  }

  private ListNode infraNode() {
    List<YamlNode> places = new ArrayList<>();
    for (String place : infra) {
      places.add(text("--infra", "resources.infra[" + places.size() + "]", place));
    }
    return new ListNode(new SourcePosition("--infra", 0), "resources.infra", places);
  }

  private static ScalarNode text(String option, String path, String value) {
    return new ScalarNode(new SourcePosition(option, 0), path, ScalarType.STRING, value);
  }

  private static MapNode plain(
      MapNode job, Optional<String> value, String option, String... names) {
    if (value.isEmpty()) {
      return job;
    }
    String path = String.join(".", names);
    return put(job, UnquotedScalars.parse(new SourcePosition(option, 0), path, value.get()), names);
  }

  /** Inserts a value at a path of one or two names. */
  private static MapNode put(MapNode job, YamlNode value, String... names) {
    if (names.length == 1) {
      return job.with(names[0], value);
    }
    Optional<YamlNode> inner = job.find(names[0]).map(MapNode.MapEntry::value);
    if (inner.isPresent() && inner.get() instanceof MapNode map) {
      return job.with(names[0], map.with(names[1], value));
    }
    if (names[0].equals("search")) {
      return job; // a missing search is reported as a problem of its own
    }
    MapNode made = new MapNode(value.place(), names[0], Map.of());
    return job.with(names[0], made.with(names[1], value));
  }
}
