package io.elastune.cli.text;

import io.elastune.core.job.Brackets;
import io.elastune.core.job.Search;
import io.elastune.core.time.Durations;
import io.elastune.inputs.FoundPlan;
import io.elastune.planner.api.Baseline;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Says why the brackets of a plan have separate or shared instances. */
public final class BracketNote {
  private final FoundPlan answer;

  public BracketNote(FoundPlan answer) {
    this.answer = answer;
  }

  /** Returns one line; empty unless the planner has compared both. */
  public Optional<String> line() {
    Search search = answer.inputs().job().value().search();
    if (answer.choice().isPresent() && answer.best().isPresent()) {
      return Optional.empty(); // the user chose
    }
    if (!search.hasOpenBrackets() || answer.problem().workload().chains().size() == 1) {
      return Optional.empty();
    }
    String why =
        other()
            .map(
                it -> "%s instances would cost %s and take %s".formatted(it.name(), usd(it), s(it)))
            .orElse("no plan with " + otherWord().word() + " instances meets the limits");
    return Optional.of("brackets: " + word().word() + ", because " + why);
  }

  /** Returns the same with its numbers, as a reason for the plan. */
  public Map<String, Map<String, Double>> reason() {
    Map<String, Map<String, Double>> reasons = new LinkedHashMap<>();
    line()
        .ifPresent(
            line -> {
              Map<String, Double> numbers = new LinkedHashMap<>();
              other()
                  .ifPresent(
                      it -> {
                        numbers.put(it.name() + "_usd", it.costUsd());
                        numbers.put(it.name() + "_s", it.completionS());
                      });
              reasons.put(line, numbers);
            });
    return reasons;
  }

  private Brackets word() {
    return answer.found().plan().shared() ? Brackets.SHARED : Brackets.SEPARATE;
  }

  private Brackets otherWord() {
    return answer.found().plan().shared() ? Brackets.SEPARATE : Brackets.SHARED;
  }

  private Optional<Baseline> other() {
    return answer.found().baselines().stream()
        .filter(baseline -> baseline.name().equals(otherWord().word()))
        .findFirst();
  }

  private String usd(Baseline baseline) {
    return mark() + UsdFormat.format(baseline.costUsd());
  }

  private String s(Baseline baseline) {
    return mark() + Durations.format(baseline.completionS());
  }

  private String mark() {
    return answer.assumed().mark(Stream.of(answer.found().plan()));
  }
}
