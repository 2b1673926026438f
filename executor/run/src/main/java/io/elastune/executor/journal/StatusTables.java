package io.elastune.executor.journal;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialParent;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the status tables of a run; each row is written when it has changed. */
public final class StatusTables {
  private final Connection connection;
  private final RunDefinition definition;
  private final Configs configs;

  /** A trial's hyperparameters. */
  public interface Configs {
    /**
     * Returns the hyperparameters of {@code trial}.
     *
     * @param trials all trials by number, from which those of another one may be derived
     */
    Map<String, Object> of(int trial, Map<Integer, TrialState> trials);
  }

  StatusTables(Connection connection, RunDefinition definition, Configs configs) {
    this.connection = connection;
    this.definition = definition;
    this.configs = configs;
  }

  void create(RunState first) {
    List<TrialGroup> groups = definition.workload().groups();
    for (int i = 0; i < groups.size(); i++) {
      TrialGroup group = groups.get(i);
      Allocation allocation = definition.plan().of(group);
      Optional<RunDefinition.Forecast> forecast =
          Optional.ofNullable(definition.forecasts().get(group.name()));
      Sql.run(
          connection,
          "INSERT INTO grp VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0)",
          group.name(),
          i,
          group.trials(),
          group.fromUnit(),
          group.toUnit(),
          allocation.offer(),
          allocation.instances(),
          allocation.gpusPerTrial(),
          allocation.trialsPerGpu(),
          forecast.map(RunDefinition.Forecast::seconds),
          forecast.map(RunDefinition.Forecast::usd));
    }
    progress(first);
  }

  void write(RunEvent event, RunState before, RunState after) {
    Ledger ledger = Ledger.of(definition, after);
    after.trials().values().stream()
        .filter(trial -> !trial.equals(before.trials().get(trial.trial())))
        .forEach(trial -> trial(trial, after));
    after.leases().values().stream()
        .filter(lease -> !lease.equals(before.leases().get(lease.number())))
        .forEach(lease -> lease(lease, ledger));
    after.attempts().values().stream()
        .filter(attempt -> !before.attempts().containsKey(attempt.attempt()))
        .forEach(this::attempt);
    groups(before, after, ledger);
    if (event instanceof RunEvent.FromEngine engine) {
      engineEvent(engine.event(), before);
    }
    progress(after);
  }

  private void engineEvent(EngineEvent event, RunState before) {
    AttemptState attempt = before.attempts().get(event.attempt());
    if (attempt != null && event instanceof EngineEvent.Reported reported) {
      Sql.run(
          connection,
          "INSERT INTO report VALUES (?, ?, ?, ?, ?)",
          attempt.attempt(),
          attempt.trial(),
          reported.unit(),
          reported.at(),
          EventJson.json(reported.metrics()));
    } else if (event instanceof EngineEvent.Ended ended) {
      Sql.run(
          connection,
          "UPDATE attempt SET ended_ms = ?, exit_code = ? WHERE attempt = ?",
          ended.at(),
          ended.exitCode(),
          ended.attempt());
    }
  }

  private void trial(TrialState trial, RunState after) {
    Sql.run(
        connection,
        "INSERT OR REPLACE INTO trial VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        trial.trial(),
        definition.workload().chains().get(trial.chain()).name(),
        EventJson.json(configs.of(trial.trial(), after.trials())),
        trial.status(),
        trial.unit(),
        trial.metric(),
        trial.checkpoint(),
        trial.failures(),
        trial.attempts(),
        trial.endedAt().isPresent() ? trial.endedAt().getAsInt() : null,
        trial.parent().map(TrialParent::trial),
        trial.parent().map(TrialParent::unit),
        trial.proposal().filter(TrialProposal::isUsed).isPresent() ? 1 : 0);
  }

  private void lease(LeaseState lease, Ledger ledger) {
    Sql.run(
        connection,
        "INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        lease.number(),
        lease.lease(),
        lease.offer(),
        lease.group(),
        lease.phase(),
        lease.usdPerHour(),
        lease.requestedAt(),
        lease.runningAt(),
        lease.readyAt(),
        lease.releasedAt(),
        lease.terminatedAt(),
        ledger.leaseUsd(lease));
  }

  private void attempt(AttemptState attempt) {
    Sql.run(
        connection,
        "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
        attempt.attempt(),
        attempt.trial(),
        attempt.group(),
        attempt.from(),
        attempt.to(),
        attempt.places().size(),
        EventJson.json(attempt.places()),
        attempt.startedAt());
  }

  private void groups(RunState before, RunState after, Ledger ledger) {
    if (!after.steering().changed().equals(before.steering().changed())) {
      after.steering().changed().forEach(this::allocation);
    }
    boolean last = after.phase() == RunState.Phase.FINISHED;
    for (int c = 0; c < after.chains().size(); c++) {
      ChainState chain = after.chains().get(c);
      boolean leasesMoved = !before.leases().equals(after.leases());
      if (!last && !leasesMoved && chain.equals(before.chains().get(c))) {
        continue;
      }
      List<TrialGroup> groups = definition.workload().chains().get(c).groups();
      int written = Math.max(chain.started().size(), before.chains().get(c).started().size());
      for (int i = 0; i < written; i++) { // a group that is reopened has no end any more
        Sql.run(
            connection,
            "UPDATE grp SET started_ms = ?, ended_ms = ?, usd = ? WHERE name = ?",
            at(chain.started(), i),
            at(chain.ended(), i),
            i < chain.started().size() ? ledger.groupUsd(c, i) : 0,
            groups.get(i).name());
      }
    }
  }

  private static Optional<Instant> at(List<Instant> times, int index) {
    return index < times.size() ? Optional.of(times.get(index)) : Optional.empty();
  }

  private void allocation(String group, Allocation allocation) {
    Sql.run(
        connection,
        "UPDATE grp SET offer = ?, instances = ?, gpus_per_trial = ?, trials_per_gpu = ?"
            + " WHERE name = ?",
        allocation.offer(),
        allocation.instances(),
        allocation.gpusPerTrial(),
        allocation.trialsPerGpu(),
        group);
  }

  /** Updates the cost of running leases and of their groups. */
  void money(RunState state) {
    Ledger ledger = Ledger.of(definition, state);
    for (LeaseState lease : state.leases().values()) {
      if (lease.runningAt().isPresent() && lease.terminatedAt().isEmpty()) {
        Sql.run(
            connection,
            "UPDATE lease SET usd = ? WHERE number = ?",
            ledger.leaseUsd(lease),
            lease.number());
      }
    }
    for (int c = 0; c < state.chains().size(); c++) {
      int started = state.chains().get(c).started().size();
      // The share of each group changes with the work of the others.
      int first = definition.plan().shared() ? 0 : Math.max(0, started - 1);
      for (int i = first; i < started; i++) {
        TrialGroup group = definition.workload().chains().get(c).groups().get(i);
        double usd = ledger.groupUsd(c, i);
        Sql.run(connection, "UPDATE grp SET usd = ? WHERE name = ?", usd, group.name());
      }
    }
  }

  void progress(RunState state) {
    Ledger ledger = Ledger.of(definition, state);
    boolean finished = state.phase() == RunState.Phase.FINISHED;
    Sql.run(
        connection,
        "INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        state.now(),
        state.phase(),
        ledger.spentUsd(),
        finished ? ledger.spentUsd() : ledger.forecastUsd(),
        finished ? 0.0 : ledger.remainingSeconds(),
        state.began(),
        state.completedAt(),
        finished ? Optional.of(state.ending().exitCode()) : Optional.empty(),
        state.ending().reason().map(reason -> reason.code().wireName()),
        state.ending().reason().map(reason -> EventJson.json(reason.details())),
        finished ? Optional.of(state.ending().instancesLeft()) : Optional.empty());
  }
}
