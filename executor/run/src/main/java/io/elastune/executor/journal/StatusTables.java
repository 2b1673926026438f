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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the status tables of a run; each row is written when it has changed. */
public final class StatusTables {
  private final SqlConnection connection;
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

  StatusTables(SqlConnection connection, RunDefinition definition, Configs configs) {
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
      connection.insert(
          "grp",
          new ColumnValues()
              .set("name", group.name())
              .set("position", i)
              .set("trials", group.trials())
              .set("from_unit", group.fromUnit())
              .set("to_unit", group.toUnit())
              .set("offer", allocation.offer())
              .set("instances", allocation.instances())
              .set("gpus_per_trial", allocation.gpusPerTrial())
              .set("trials_per_gpu", allocation.trialsPerGpu())
              .set("predicted_s", forecast.map(RunDefinition.Forecast::seconds))
              .set("predicted_usd", forecast.map(RunDefinition.Forecast::usd))
              .set("usd", 0));
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
      connection.insert(
          "report",
          new ColumnValues()
              .set("attempt", attempt.attempt())
              .set("trial", attempt.trial())
              .set("unit", reported.unit())
              .set("at_ms", reported.at())
              .set("metrics", EventJson.json(reported.metrics())));
    } else if (event instanceof EngineEvent.Ended ended) {
      connection.update(
          "attempt",
          new ColumnValues().set("ended_ms", ended.at()).set("exit_code", ended.exitCode()),
          "attempt",
          ended.attempt());
    }
  }

  /** A trial for which the sampler has not answered yet has none. */
  private Map<String, Object> configuration(TrialState trial, RunState after) {
    return trial.isConfigured() ? configs.of(trial.trial(), after.trials()) : Map.of();
  }

  private void trial(TrialState trial, RunState after) {
    connection.replace(
        "trial",
        new ColumnValues()
            .set("trial", trial.trial())
            .set("chain", definition.workload().chains().get(trial.chain()).name())
            .set("config", EventJson.json(configuration(trial, after)))
            .set("status", trial.status())
            .set("unit", trial.unit())
            .set("metric", trial.metric())
            .set("checkpoint", trial.checkpoint())
            .set("failures", trial.failures())
            .set("attempts", trial.attempts())
            .set("ended_early", trial.endedAt())
            .set("parent", trial.parent().map(TrialParent::trial))
            .set("parent_unit", trial.parent().map(TrialParent::unit))
            .set("proposed", trial.proposal().filter(TrialProposal::isUsed).isPresent()));
  }

  private void lease(LeaseState lease, Ledger ledger) {
    connection.replace(
        "lease",
        new ColumnValues()
            .set("number", lease.number())
            .set("lease", lease.lease())
            .set("offer", lease.offer())
            .set("grp", lease.group())
            .set("phase", lease.phase())
            .set("usd_per_hour", lease.usdPerHour())
            .set("requested_ms", lease.requestedAt())
            .set("running_ms", lease.runningAt())
            .set("ready_ms", lease.readyAt())
            .set("released_ms", lease.releasedAt())
            .set("terminated_ms", lease.terminatedAt())
            .set("usd", ledger.leaseUsd(lease)));
  }

  private void attempt(AttemptState attempt) {
    connection.replace(
        "attempt",
        new ColumnValues()
            .set("attempt", attempt.attempt())
            .set("trial", attempt.trial())
            .set("grp", attempt.group())
            .set("from_unit", attempt.from())
            .set("to_unit", attempt.to())
            .set("workers", attempt.places().size())
            .set("leases", EventJson.json(attempt.places()))
            .set("started_ms", attempt.startedAt()));
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
        connection.update(
            "grp",
            new ColumnValues()
                .set("started_ms", at(chain.started(), i))
                .set("ended_ms", at(chain.ended(), i))
                .set("usd", i < chain.started().size() ? ledger.groupUsd(c, i) : 0),
            "name",
            groups.get(i).name());
      }
    }
  }

  private static Optional<Instant> at(List<Instant> times, int index) {
    return index < times.size() ? Optional.of(times.get(index)) : Optional.empty();
  }

  private void allocation(String group, Allocation allocation) {
    connection.update(
        "grp",
        new ColumnValues()
            .set("offer", allocation.offer())
            .set("instances", allocation.instances())
            .set("gpus_per_trial", allocation.gpusPerTrial())
            .set("trials_per_gpu", allocation.trialsPerGpu()),
        "name",
        group);
  }

  /** Updates the cost of running leases and of their groups. */
  void money(RunState state) {
    Ledger ledger = Ledger.of(definition, state);
    for (LeaseState lease : state.leases().values()) {
      if (lease.runningAt().isPresent() && lease.terminatedAt().isEmpty()) {
        connection.update(
            "lease",
            new ColumnValues().set("usd", ledger.leaseUsd(lease)),
            "number",
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
        connection.update("grp", new ColumnValues().set("usd", usd), "name", group.name());
      }
    }
  }

  void progress(RunState state) {
    Ledger ledger = Ledger.of(definition, state);
    boolean finished = state.phase() == RunState.Phase.FINISHED;
    connection.replace(
        "progress",
        new ColumnValues()
            .set("id", 1)
            .set("at_ms", state.now())
            .set("phase", state.phase())
            .set("spent_usd", ledger.spentUsd())
            .set("forecast_usd", finished ? ledger.spentUsd() : ledger.forecastUsd())
            .set("remaining_s", finished ? 0.0 : ledger.remainingSeconds())
            .set("began_ms", state.began())
            .set("completed_ms", state.completedAt())
            .set("exit_code", finished ? Optional.of(state.ending().exitCode()) : Optional.empty())
            .set("reason", state.ending().reason().map(reason -> reason.code().wireName()))
            .set("details", state.ending().reason().map(reason -> EventJson.json(reason.details())))
            .set(
                "instances_left",
                finished ? Optional.of(state.ending().instancesLeft()) : Optional.empty()));
  }
}
