package io.elastune.cli.command;

import io.elastune.cli.world.World;
import io.elastune.core.files.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that override the job file. They are kept as typed: the file's own rules read them. */
final class OverrideOptions {
  @Option(
      names = "--deadline",
      order = 50,
      paramLabel = "WHEN",
      description = "Override the deadline: 3h, 1h30m, or a date-time.")
  private Optional<String> deadline = Optional.empty();

  @Option(
      names = "--budget",
      order = 51,
      paramLabel = "USD",
      description = "Override the budget, in US dollars.")
  private Optional<String> budget = Optional.empty();

  @Option(
      names = "--confidence",
      order = 52,
      paramLabel = "P",
      description = "Override how surely deadline and budget are to be kept, e.g. 0.95.")
  private Optional<String> confidence = Optional.empty();

  @Option(
      names = "--infra",
      order = 53,
      split = ",",
      paramLabel = "PLACE",
      description = "Override where to rent: local, aws/REGION[/ZONE], gcp/REGION[/ZONE].")
  private List<String> infra = new ArrayList<>();

  @Option(
      names = "--profile",
      order = 54,
      paramLabel = "FILE",
      description = "Take the profile from a file; may be given once per GPU model.")
  private List<String> profiles = new ArrayList<>();

  @Option(
      names = "--offers",
      order = 55,
      paramLabel = "FILE",
      description = "Take the offers from a file.")
  private Optional<String> offers = Optional.empty();

  @Option(
      names = "--seed",
      order = 56,
      paramLabel = "N",
      description = "Override the seed of all random draws.")
  private Optional<String> seed = Optional.empty();

  /** As the job file's reader takes them, with paths made absolute. */
  Overrides in(World world) {
    return new Overrides(
        deadline,
        budget,
        confidence,
        infra,
        profiles.stream().map(path -> world.path(path).toString()).toList(),
        offers.map(path -> world.path(path).toString()),
        seed);
  }
}
