package io.elastune.core.config;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.UnquotedScalars;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.job.SamplerOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
 * @param trials {@code --trials}
 * @param instanceTypes {@code --instance-types}, already split at commas; empty to use those of the
 *     job file
 * @param gpus {@code --gpu}, likewise
 * @param market {@code --market}
 * @param maxInstances {@code --max-instances}
 * @param waitForCapacity {@code --wait-for-capacity}
 * @param instances {@code --instances}
 * @param warmStart {@code --warm-start}
 * @param brackets {@code --brackets}
 * @param policy {@code --policy}, the name of a policy
 * @param sampler {@code --sampler}, the type of a sampler
 * @param prefer {@code --prefer}, a word, or the worth of an hour in USD
 */
@RecordBuilder
public record Overrides(
    Optional<String> deadline,
    Optional<String> budget,
    Optional<String> confidence,
    List<String> infra,
    List<String> profiles,
    Optional<String> offers,
    Optional<String> seed,
    Optional<String> trials,
    List<String> instanceTypes,
    List<String> gpus,
    Optional<String> market,
    Optional<String> maxInstances,
    Optional<String> waitForCapacity,
    Optional<String> instances,
    Optional<String> warmStart,
    Optional<String> brackets,
    Optional<String> policy,
    Optional<String> sampler,
    Optional<String> prefer) {
  /** No overrides. */
  public static final Overrides NONE = builder().build();

  private static final Pattern HOUR_WORTH =
      Pattern.compile("(?:hour_worth_usd=)?([-+.\\d][-+.\\deE]*)");

  public Overrides {
    infra = List.copyOf(infra);
    profiles = List.copyOf(profiles);
    instanceTypes = List.copyOf(instanceTypes);
    gpus = List.copyOf(gpus);
  }

  /** Returns a builder of overrides, with none set. */
  public static OverridesBuilder builder() {
    return OverridesBuilder.builder()
        .infra(List.of())
        .profiles(List.of())
        .instanceTypes(List.of())
        .gpus(List.of());
  }

  /** Returns these overrides without a seed, which keeps the seed of the job. */
  public Overrides withoutSeed() {
    return OverridesBuilder.builder(this).seed(Optional.empty()).build();
  }

  /** Returns these overrides with other locations; an empty list keeps those of the job. */
  public Overrides withInfra(List<String> others) {
    return OverridesBuilder.builder(this).infra(others).build();
  }

  /** Returns the tree of the job file with these values inserted. */
  MapNode applyTo(MapNode job) {
    MapNode changed = job;
    changed = plain(changed, deadline, "--deadline", "deadline");
    changed = plain(changed, budget, "--budget", "budget", "usd");
    changed = plain(changed, confidence, "--confidence", "confidence");
    changed = plain(changed, seed, "--seed", "search", "seed");
    changed = plain(changed, trials, "--trials", "search", "trials");
    changed = plain(changed, brackets, "--brackets", "search", "brackets");
    changed = plain(changed, policy, "--policy", "policy");
    changed = prefer.isPresent() ? withPreference(changed, prefer.get()) : changed;
    changed = sampler.isPresent() ? withSampler(changed, sampler.get()) : changed;
    changed = list(changed, infra, "--infra", "infra");
    changed = warmStart.isPresent() ? withWarmStart(changed, warmStart.get()) : changed;
    changed = list(changed, instanceTypes, "--instance-types", "instance_types");
    changed = list(changed, gpus, "--gpu", "gpu");
    changed = plain(changed, market, "--market", "resources", "market");
    changed = maxInstances.isPresent() ? withoutResource(changed, "instances") : changed;
    changed = instances.isPresent() ? withoutResource(changed, "max_instances") : changed;
    changed = plain(changed, maxInstances, "--max-instances", "resources", "max_instances");
    changed = plain(changed, instances, "--instances", "resources", "instances");
    changed =
        plain(changed, waitForCapacity, "--wait-for-capacity", "resources", "wait_for_capacity");
    if (offers.isPresent()) {
      changed =
          put(changed, text("--offers", "resources.offers", offers.get()), "resources", "offers");
    }
    if (!profiles.isEmpty()) {
      changed = put(changed, text("--profile", "profile.file", profiles.get(0)), "profile", "file");
    }
    return changed;
  }

  private static MapNode withWarmStart(MapNode job, String run) {
    ScalarNode value = text("--warm-start", "search.warm_start.run", run);
    MapNode given =
        map(job, "search")
            .flatMap(search -> map(search, "warm_start"))
            .orElseGet(() -> new MapNode(value.place(), "search.warm_start", Map.of()));
    return put(job, given.with("run", value).without("configs"), "search", "warm_start");
  }

  /** A number, or {@code hour_worth_usd=NUMBER}, is the worth of an hour. */
  private static MapNode withPreference(MapNode job, String given) {
    Matcher hour = HOUR_WORTH.matcher(given);
    if (!hour.matches()) {
      return put(job, text("--prefer", "prefer", given), "prefer");
    }
    SourcePosition place = new SourcePosition("--prefer", 0);
    String path = "prefer.hour_worth_usd";
    return job.with(
        "prefer",
        new MapNode(place, "prefer", Map.of())
            .with("hour_worth_usd", UnquotedScalars.parse(place, path, hour.group(1))));
  }

  /** Inserts the type of the sampler; its other options remain unless it is random. */
  private static MapNode withSampler(MapNode job, String type) {
    ScalarNode value = text("--sampler", "search.sampler.type", type);
    MapNode none = new MapNode(value.place(), "search.sampler", Map.of());
    MapNode given =
        map(job, "search")
            .flatMap(search -> map(search, "sampler"))
            .filter(options -> !type.equals(SamplerOptions.Type.RANDOM.word()))
            .orElse(none);
    return put(job, given.with("type", value), "search", "sampler");
  }

  private static MapNode withoutResource(MapNode job, String name) {
    return map(job, "resources")
        .map(resources -> job.with("resources", resources.without(name)))
        .orElse(job);
  }

  private static Optional<MapNode> map(MapNode parent, String name) {
    return parent
        .find(name)
        .map(MapNode.MapEntry::value)
        .filter(MapNode.class::isInstance)
        .map(MapNode.class::cast);
  }

  /** Inserts a list into the section {@code resources}; an empty list keeps that of the job. */
  private static MapNode list(MapNode job, List<String> values, String option, String name) {
    if (values.isEmpty()) {
      return job;
    }
    String path = "resources." + name;
    List<YamlNode> items = new ArrayList<>();
    for (String value : values) {
      items.add(text(option, path + "[" + items.size() + "]", value));
    }
    return put(job, new ListNode(new SourcePosition(option, 0), path, items), "resources", name);
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
