package io.elastune.cli.host;

import io.elastune.core.config.Overrides;
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
    return Overrides.builder()
        .deadline(one("--deadline"))
        .budget(one("--budget"))
        .confidence(one("--confidence"))
        .infra(all("--infra"))
        .seed(one("--seed"))
        .trials(one("--trials"))
        .instanceTypes(all("--instance-types"))
        .gpus(all("--gpu"))
        .market(one("--market"))
        .maxInstances(one("--max-instances"))
        .waitForCapacity(one("--wait-for-capacity"))
        .instances(one("--instances"))
        .warmStart(one("--warm-start"))
        .brackets(one("--brackets"))
        .policy(one("--policy"))
        .sampler(one("--sampler"))
        .prefer(one("--prefer"))
        .build();
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
