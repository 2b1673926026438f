package io.elastune.cli.host;

import io.elastune.core.config.Overrides;
import io.elastune.core.config.Overrides.ResourceOverrides;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * The options of a command line that change the job.
 *
 * @param command the command, with the subcommand
 */
record OverrideArguments(ParseResult options, String command) {
  /** Returns the overrides, without files. */
  Overrides overrides() {
    return new Overrides(
            one("--deadline"),
            one("--budget"),
            one("--confidence"),
            all("--infra"),
            List.of(),
            Optional.empty(),
            one("--seed"))
        .with(
            one("--trials"),
            new ResourceOverrides(
                all("--instance-types"),
                all("--gpu"),
                one("--market"),
                one("--max-instances"),
                one("--wait-for-capacity"),
                one("--instances")))
        .withWarmStart(one("--warm-start"))
        .withBrackets(one("--brackets"))
        .withPolicy(one("--policy"))
        .withSampler(one("--sampler"));
  }

  /** With {@code estimate}, several values are compared. */
  private Optional<String> one(String option) {
    List<String> values = all(option);
    return values.size() == 1 && !command.equals("estimate")
        ? Optional.of(values.get(0))
        : Optional.empty();
  }

  private List<String> all(String option) {
    return options.hasMatchedOption(option)
        ? options.matchedOption(option).stringValues()
        : List.of();
  }
}
