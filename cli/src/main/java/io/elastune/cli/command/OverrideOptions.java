package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that override the job file. The parser of the job file validates their values. */
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
      description = "Override the required probability of meeting each limit, e.g. 0.95.")
  private Optional<String> confidence = Optional.empty();

  @Option(
      names = "--infra",
      order = 53,
      split = ",",
      paramLabel = "PLACE",
      description =
          "Override the locations: local, simulated, ray/CLUSTER, aws/REGION[/ZONE],"
              + " gcp/REGION[/ZONE].")
  private List<String> infra = new ArrayList<>();

  @Option(
      names = "--profile",
      order = 54,
      paramLabel = "FILE",
      description = "Use the profile in this file; repeat the option for each GPU model.")
  private List<String> profiles = new ArrayList<>();

  @Option(
      names = "--seed",
      order = 56,
      paramLabel = "N",
      description = "Override the seed of all random streams.")
  private Optional<String> seed = Optional.empty();

  @Option(
      names = "--warm-start",
      order = 62,
      paramLabel = "RUN",
      description = "Try the best configurations of an earlier run first; 'latest' for this job.")
  private Optional<String> warmStart = Optional.empty();

  @Option(
      names = "--brackets",
      order = 63,
      paramLabel = "HOW",
      description = "Override how hyperband runs its brackets: auto, separate, shared, sequential.")
  private Optional<String> brackets = Optional.empty();

  @Option(
      names = "--policy",
      order = 64,
      paramLabel = "POLICY",
      description =
          "Override how a fixed cluster is divided among the trials: list, fluid, hermes,"
              + " hypersched.")
  private Optional<String> policy = Optional.empty();

  @Option(
      names = "--sampler",
      order = 65,
      paramLabel = "TYPE",
      description = "Override what proposes configurations: random, optuna.")
  private Optional<String> sampler = Optional.empty();

  @Option(
      names = "--prefer",
      order = 53,
      paramLabel = "PLAN",
      description =
          "Prefer the cheapest, balanced or fastest plan; a number is what an hour is worth in"
              + " USD.")
  private Optional<String> prefer = Optional.empty();

  @Mixin private OffersOption offers = new OffersOption();
  @Mixin private TrialsOption trials = new TrialsOption();
  @Mixin private ResourceOptions resources = new ResourceOptions();

  /** Returns the overrides for the job file's parser, with absolute paths. */
  Overrides toOverrides(CliEnvironment cliEnvironment) {
    return resources
        .overrides()
        .deadline(deadline)
        .budget(budget)
        .confidence(confidence)
        .infra(infra)
        .profiles(profiles.stream().map(path -> cliEnvironment.path(path).toString()).toList())
        .offers(offers.file(cliEnvironment))
        .seed(seed)
        .trials(trials.number())
        .warmStart(warmStart)
        .brackets(brackets)
        .policy(policy)
        .sampler(sampler)
        .prefer(prefer)
        .build();
  }
}
