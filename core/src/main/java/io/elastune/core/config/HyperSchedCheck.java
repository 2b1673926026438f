package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.FieldValues.ValuePart;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.PolicyOptions;
import java.util.List;
import java.util.Optional;

/** Checks that a job with policy HyperSched leaves to it what it decides by itself. */
record HyperSchedCheck(
    FieldValues fieldValues,
    Field<Job, PolicyOptions> policyField,
    Field<Job, Search> searchField,
    Field<Job, Deadline> deadlineField) {
  private static final List<String> DECIDED =
      List.of("variant", "finish", "concurrency", "brackets");

  void check() {
    Optional<Search> search = fieldValues.find(searchField);
    if (search.filter(it -> it.algorithm() != Algorithm.ASHA).isPresent()) {
      problem("hypersched works with asha only", "use asha, or another policy");
      return;
    }
    if (!fieldValues.isGiven(deadlineField)) {
      problem("hypersched needs a deadline, and sets variant and stop.time itself", "set deadline");
    }
    given("asha", SearchSection.ASHA_OPTIONS)
        .ifPresent(
            asha ->
                DECIDED.stream()
                    .filter(
                        name -> asha.node() instanceof MapNode map && map.find(name).isPresent())
                    .filter(name -> !isDecided(name, asha.value()))
                    .forEach(
                        name ->
                            problem(
                                "hypersched decides search.asha." + name + " itself",
                                "leave it out")));
    if (search.flatMap(Search::stop).flatMap(SearchStop::time).isPresent()) {
      problem("hypersched ends at the deadline", "leave out search.stop.time");
    }
    if (search.filter(it -> !it.limitsTrials()).isPresent()) {
      problem("hypersched needs search.trials, the most that it may start", "set search.trials");
    }
    if (search.flatMap(Search::stop).flatMap(SearchStop::trained).isPresent()) {
      problem("hypersched ends at the deadline", "leave out search.stop.trained");
    }
  }

  /** Whether a given value is what HyperSched does. */
  private static boolean isDecided(String name, AshaOptions options) {
    return switch (name) {
      case "variant" -> options.variant() == RungRule.Variant.STOPPING;
      case "finish" -> options.finish() == AshaOptions.Finish.NONE;
      case "brackets" -> options.brackets() == 1;
      default -> false;
    };
  }

  private Optional<ValuePart<AshaOptions>> given(String name, Codec<AshaOptions> codec) {
    return fieldValues.parts(searchField, codec).stream()
        .filter(part -> part.name().equals(name))
        .findFirst();
  }

  private void problem(String message, String remedy) {
    fieldValues.problem(policyField, message, remedy);
  }
}
