package io.elastune.core.files;

import io.elastune.core.files.tree.ListNode;
import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Place;
import io.elastune.core.files.tree.ScalarNode;
import io.elastune.core.files.tree.ScalarNode.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options of the command line that stand for fields of the job file, as they were typed: they are
 * read by the same rules. Files named here are taken as relative to the job file like those in it,
 * so a caller makes them absolute.
 *
 * @param deadline {@code --deadline}
 * @param budget {@code --budget}, in USD
 * @param confidence {@code --confidence}
 * @param infra {@code --infra}, already split at commas; the job file's when empty
 * @param profiles {@code --profile}, of which a job names only the first: a caller reads them all
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
  /** None given. */
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

  /** The same without a seed: the job's own stays. */
  public Overrides withoutSeed() {
    return new Overrides(deadline, budget, confidence, infra, profiles, offers, Optional.empty());
  }

  /** The same with other places; with none, the job's own stay. */
  public Overrides withInfra(List<String> others) {
    return new Overrides(deadline, budget, confidence, others, profiles, offers, seed);
  }

  /** The job file's tree with these values in it. */
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
    List<Node> places = new ArrayList<>();
    for (String place : infra) {
      places.add(text("--infra", "resources.infra[" + places.size() + "]", place));
    }
    return new ListNode(new Place("--infra", 0), "resources.infra", places);
  }

  private static ScalarNode text(String option, String path, String value) {
    return new ScalarNode(new Place(option, 0), path, Kind.TEXT, value);
  }

  private static MapNode plain(
      MapNode job, Optional<String> value, String option, String... names) {
    if (value.isEmpty()) {
      return job;
    }
    String path = String.join(".", names);
    return put(job, ScalarNode.plain(new Place(option, 0), path, value.get()), names);
  }

  /** Puts a value at a path of one or two names. */
  private static MapNode put(MapNode job, Node value, String... names) {
    if (names.length == 1) {
      return job.with(names[0], value);
    }
    Optional<Node> inner = job.find(names[0]).map(MapNode.Entry::value);
    if (inner.isPresent() && inner.get() instanceof MapNode map) {
      return job.with(names[0], map.with(names[1], value));
    }
    if (names[0].equals("search")) {
      return job; // without a search there is nothing to give a seed to, and that is reported
    }
    MapNode made = new MapNode(value.place(), names[0], Map.of());
    return job.with(names[0], made.with(names[1], value));
  }
}
