package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.LiveLines;
import io.elastune.cli.env.Output;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.OutputExcerpt;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.runtime.RunListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Reports the progress of a run: one line per change, and on a terminal live lines below them. With
 * {@code --json} it also prints one document per change.
 */
final class ProgressReporter implements RunListener, AutoCloseable {
  private final Output output;
  private RunDefinition definition;
  private final String unit;
  private final double profilingUsd;
  private final LiveLines live;

  /**
   * Creates a reporter.
   *
   * @param profilingUsd cost of profiling before the run in USD, which is part of all costs shown
   */
  ProgressReporter(
      CliEnvironment cliEnvironment,
      Output output,
      RunDefinition definition,
      String unit,
      double profilingUsd) {
    this.profilingUsd = profilingUsd;
    this.output = output;
    this.definition = definition;
    this.unit = unit;
    this.live = new LiveLines(output.text(), cliEnvironment.useColors() && !output.json());
  }

  @Override
  public void onStep(RunEvent event, RunState before, StepResult stepResult) {
    RunState after = stepResult.state();
    List<String> lines = new ArrayList<>();
    groups(before, after, lines);
    stepResult.notes().forEach(journalNote -> lines.add(line(journalNote, after)));
    instances(before, after, lines);
    live.print(lines.stream().filter(line -> !line.isEmpty()).toList());
    live.show(liveLines(after));
    trials(before, after);
  }

  /** Prints a note that is not an event of the run. */
  void printNote(String remark) {
    live.print(List.of("        " + remark));
  }

  /** Reports the steps that follow with another definition, after a resume. */
  void use(RunDefinition other) {
    definition = other;
  }

  /** Prints no lines until {@link #showHistory}, which prints the latest of them. */
  void holdHistory() {
    live.holdHistory();
  }

  void showHistory() {
    live.showHistory();
  }

  /** Updates the live lines, which change with time alone. */
  void showTime(RunState state) {
    live.show(liveLines(state));
  }

  /** Hides the live lines while a prompt is open, and allows them again afterwards. */
  void setPaused(boolean on) {
    live.setPaused(on);
  }

  @Override
  public void close() {
    live.show(List.of());
  }

  private String line(JournalNote journalNote, RunState after) {
    return journalNote.match(
        new JournalNote.Visitor<>() {
          @Override
          public String decision(JournalNote.Decision decision) {
            String reason =
                DecisionText.of(definition.run(), decision.reason(), decision.numbers());
            emit(() -> new ProgressDocument.Decided(atS(after), decision.decision(), reason));
            boolean shownElsewhere = decision.kind() == DecisionKind.RELEASE;
            return shownElsewhere
                ? ""
                : at(after) + decision.decision() + ": " + OutputExcerpt.of(reason);
          }

          @Override
          public String fault(JournalNote.TrialFault fault) {
            emit(() -> new ProgressDocument.Failed(atS(after), fault.trial(), fault.message()));
            return at(after) + "trial " + fault.trial() + ": " + OutputExcerpt.of(fault.message());
          }
        });
  }

  private void instances(RunState before, RunState after, List<String> lines) {
    for (LeaseState lease : after.leases().values()) {
      LeaseState earlier = before.leases().get(lease.number());
      boolean changed = earlier == null || earlier.phase() != lease.phase();
      if (changed) {
        String word = lease.phase().name().toLowerCase(Locale.ROOT);
        emit(() -> new ProgressDocument.LeaseChanged(atS(after), lease.lease(), word));
        boolean worthALine =
            lease.phase() == LeaseState.Phase.READY || lease.phase() == LeaseState.Phase.RELEASING;
        if (worthALine) {
          lines.add(
              at(after)
                  + "instance "
                  + lease.number()
                  + " "
                  + (lease.isReady() ? "ready" : "released")
                  + ": "
                  + held(after)
                  + " active");
        }
      }
    }
  }

  private static long held(RunState state) {
    return state.leases().values().stream().filter(LeaseState::held).count();
  }

  private void groups(RunState before, RunState after, List<String> lines) {
    for (int chain = 0; chain < after.chains().size(); chain++) {
      int ended = after.chains().get(chain).ended().size();
      for (int i = before.chains().get(chain).ended().size(); i < ended; i++) {
        String group = definition.workload().chains().get(chain).groups().get(i).name();
        Duration took =
            Duration.between(
                after.chains().get(chain).started().get(i),
                after.chains().get(chain).ended().get(i));
        if (definition.isProfiling() && took.isZero()) {
          continue; // no measurement was chosen for it
        }
        emit(() -> new ProgressDocument.GroupEnded(atS(after), group, took.toMillis() / 1e3));
        lines.add(
            at(after) + "group " + group + " done in " + Durations.format(took.toMillis() / 1e3));
      }
    }
  }

  private void trials(RunState before, RunState after) {
    if (!output.json()) {
      return;
    }
    for (TrialState trial : after.trials().values()) {
      TrialState earlier = before.trials().get(trial.trial());
      if (earlier != null && earlier.unit() != trial.unit()) {
        emit(
            () ->
                new ProgressDocument.Trained(
                    atS(after), trial.trial(), unit, trial.unit(), trial.metric()));
      }
    }
  }

  private List<String> liveLines(RunState state) {
    if (state.phase() == RunState.Phase.FINISHED) {
      return List.of();
    }
    Ledger ledger = Ledger.of(definition, state);
    long waiting = state.chains().stream().mapToLong(chain -> chain.waiting().size()).sum();
    String end =
        definition.forecasts().isEmpty() || state.phase() != RunState.Phase.RUNNING
            ? ""
            : " · about " + Durations.format(ledger.remainingSeconds()) + " left";
    List<String> lines = new ArrayList<>(new GroupProgressTable(definition, state).lines());
    lines.add(
        Plural.counted(state.attempts().size(), "trial")
            + " running, "
            + waiting
            + " waiting · "
            + Plural.counted(held(state), "instance")
            + " · "
            + state.phase().name().toLowerCase(Locale.ROOT));
    lines.add(at(state) + "spent " + UsdFormat.format(ledger.spentUsd() + profilingUsd) + end);
    return lines;
  }

  private String at(RunState state) {
    Instant began = state.began().orElse(state.now());
    double seconds = Duration.between(began, state.now()).toMillis() / 1e3;
    return String.format(Locale.ROOT, "%6s  ", Durations.format(Math.floor(seconds)));
  }

  private static double atS(RunState state) {
    Instant began = state.began().orElse(state.now());
    return Duration.between(began, state.now()).toMillis() / 1e3;
  }

  private void emit(Supplier<ProgressDocument> document) {
    output.jsonLine(document);
  }
}
