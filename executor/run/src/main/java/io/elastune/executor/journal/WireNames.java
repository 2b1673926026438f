package io.elastune.executor.journal;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The names under which a journal stores events, commands, decisions and states. They do not depend
 * on the names in the code. A change to one of them is a change of {@link Journal#FORMAT}.
 */
final class WireNames {
  private static final Map<Class<?>, String> EVENTS =
      Map.ofEntries(
          Map.entry(RunEvent.Began.class, "Began"),
          Map.entry(RunEvent.Resumed.class, "Resumed"),
          Map.entry(RunEvent.Ticked.class, "Ticked"),
          Map.entry(RunEvent.StopAsked.class, "StopAsked"),
          Map.entry(RunEvent.Replanned.class, "Replanned"),
          Map.entry(RunEvent.BudgetAnswered.class, "BudgetAnswered"),
          Map.entry(RunEvent.Configured.class, "Configured"),
          Map.entry(RunEvent.MeasurementChosen.class, "MeasurementChosen"),
          Map.entry(CloudEvent.Running.class, "Running"),
          Map.entry(CloudEvent.Ready.class, "Ready"),
          Map.entry(CloudEvent.Refused.class, "Refused"),
          Map.entry(CloudEvent.LaunchFailed.class, "LaunchFailed"),
          Map.entry(CloudEvent.PreparationFailed.class, "SetupFailed"),
          Map.entry(CloudEvent.Priced.class, "Priced"),
          Map.entry(CloudEvent.Leaving.class, "Leaving"),
          Map.entry(CloudEvent.Lost.class, "Lost"),
          Map.entry(CloudEvent.Terminated.class, "Terminated"),
          Map.entry(CloudEvent.Listed.class, "Listed"),
          Map.entry(CloudEvent.HealthChanged.class, "HealthChanged"),
          Map.entry(EngineEvent.Reported.class, "Reported"),
          Map.entry(EngineEvent.Active.class, "Active"),
          Map.entry(EngineEvent.Faulted.class, "Faulted"),
          Map.entry(EngineEvent.Unreachable.class, "Unreachable"),
          Map.entry(EngineEvent.Reachable.class, "Reachable"),
          Map.entry(EngineEvent.Ended.class, "Ended"));

  private static final Map<Class<?>, String> COMMANDS =
      Map.ofEntries(
          Map.entry(Command.RequestInstance.class, "RequestInstance"),
          Map.entry(Command.AdoptInstance.class, "AdoptInstance"),
          Map.entry(Command.ReleaseInstance.class, "ReleaseInstance"),
          Map.entry(Command.StartAttempt.class, "StartAttempt"),
          Map.entry(Command.AdoptAttempt.class, "AdoptAttempt"),
          Map.entry(Command.StopAttempt.class, "StopAttempt"),
          Map.entry(Command.KillAttempt.class, "KillAttempt"),
          Map.entry(Command.CheckAttempt.class, "CheckAttempt"),
          Map.entry(Command.ListInstances.class, "ListInstances"),
          Map.entry(Command.Replan.class, "Replan"),
          Map.entry(Command.AskBudget.class, "AskBudget"),
          Map.entry(Command.ConfigureTrials.class, "ConfigureTrials"),
          Map.entry(Command.ChooseMeasurement.class, "ChooseMeasurement"),
          Map.entry(Command.Finish.class, "Finish"));

  private static final Map<Enum<?>, String> WORDS =
      Map.ofEntries(
          Map.entry(RunState.Phase.RUNNING, "RUNNING"),
          Map.entry(RunState.Phase.STOPPING, "STOPPING"),
          Map.entry(RunState.Phase.RELEASING, "RELEASING"),
          Map.entry(RunState.Phase.VERIFYING, "VERIFYING"),
          Map.entry(RunState.Phase.FINISHED, "FINISHED"),
          Map.entry(LeaseState.Phase.PENDING, "PENDING"),
          Map.entry(LeaseState.Phase.BOOTING, "BOOTING"),
          Map.entry(LeaseState.Phase.READY, "READY"),
          Map.entry(LeaseState.Phase.LEAVING, "LEAVING"),
          Map.entry(LeaseState.Phase.INHERITED, "INHERITED"),
          Map.entry(LeaseState.Phase.RELEASING, "RELEASING"),
          Map.entry(LeaseState.Phase.GONE, "GONE"),
          Map.entry(TrialState.Status.WAITING, "WAITING"),
          Map.entry(TrialState.Status.RUNNING, "RUNNING"),
          Map.entry(TrialState.Status.COMPLETED, "COMPLETED"),
          Map.entry(TrialState.Status.STOPPED, "STOPPED"),
          Map.entry(TrialState.Status.FAILED, "FAILED"),
          Map.entry(Metric.Goal.MAXIMIZE, "MAXIMIZE"),
          Map.entry(Metric.Goal.MINIMIZE, "MINIMIZE"),
          Map.entry(DecisionKind.PLAN, "plan"),
          Map.entry(DecisionKind.START_GROUP, "start group"),
          Map.entry(DecisionKind.EARLY_END, "early end"),
          Map.entry(DecisionKind.PROMOTE, "promote"),
          Map.entry(DecisionKind.EXPLOIT, "exploit"),
          Map.entry(DecisionKind.SAMPLER, "sampler"),
          Map.entry(DecisionKind.CLOSE, "close"),
          Map.entry(DecisionKind.STOP_TRIAL, "stop-trial"),
          Map.entry(DecisionKind.RESIZE, "resize"),
          Map.entry(DecisionKind.PREEMPT, "preempt"),
          Map.entry(DecisionKind.AT_RISK, "at_risk"),
          Map.entry(DecisionKind.ON_TIME, "on_time"),
          Map.entry(DecisionKind.PACE, "pace"),
          Map.entry(DecisionKind.REPLAN, "re-plan"),
          Map.entry(DecisionKind.STAY, "stay"),
          Map.entry(DecisionKind.MOVE, "move"),
          Map.entry(DecisionKind.WARNED, "warned"),
          Map.entry(DecisionKind.GUARD, "guard"),
          Map.entry(DecisionKind.OVER_BUDGET, "over_budget"),
          Map.entry(DecisionKind.BUDGET, "budget"),
          Map.entry(DecisionKind.BUDGET_NOT_INCREASED, "budget_kept"),
          Map.entry(DecisionKind.DEADLINE, "deadline"),
          Map.entry(DecisionKind.MEASURE, "measure"),
          Map.entry(DecisionKind.FAILURES, "failures"),
          Map.entry(DecisionKind.WATCHDOG, "watchdog"),
          Map.entry(DecisionKind.RELEASE, "release"),
          Map.entry(DecisionKind.REFUSED, "refused"),
          Map.entry(DecisionKind.WAITING, "waiting"),
          Map.entry(DecisionKind.AVAILABLE, "available"),
          Map.entry(DecisionKind.PRICE, "price"),
          Map.entry(DecisionKind.NOTICE, "notice"),
          Map.entry(DecisionKind.UNREACHABLE, "unreachable"),
          Map.entry(DecisionKind.REACHABLE, "reachable"),
          Map.entry(DecisionKind.CLOUD_HEALTH, "cloud_health"),
          Map.entry(DecisionKind.LOST, "lost"),
          Map.entry(DecisionKind.FAILOVER, "failover"),
          Map.entry(DecisionKind.NODE_FAILED, "node_failed"),
          Map.entry(DecisionKind.GONE, "gone"),
          Map.entry(DecisionKind.SUSPENDED, "suspended"),
          Map.entry(DecisionKind.RESUME, "resume"),
          Map.entry(DecisionKind.RETRY, "retry"),
          Map.entry(DecisionKind.STOP, "stop"));

  private WireNames() {}

  /** The name of an event of the run, the cloud or the engine, without its envelope. */
  static String event(Class<?> type) {
    return name(EVENTS, type);
  }

  /** The type of the events with that name; empty if there is none. */
  static Optional<Class<?>> eventType(String name) {
    return EVENTS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(name))
        .<Class<?>>map(Map.Entry::getKey)
        .findFirst();
  }

  static String command(Class<?> type) {
    return name(COMMANDS, type);
  }

  static String word(Enum<?> constant) {
    return name(WORDS, constant);
  }

  private static <K> String name(Map<K, String> names, K key) {
    String name = names.get(key);
    if (name == null) {
      throw new IllegalStateException("no name in the journal for " + key);
    }
    return name;
  }

  /** Returns the constant with that name. */
  static <E extends Enum<E>> E constant(Class<E> type, String name) {
    return type.cast(anyConstant(type, name));
  }

  /** Returns the constant of an enum with that name. */
  static Object anyConstant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (word((Enum<?>) constant).equals(name)) {
        return constant;
      }
    }
    throw JournalException.corrupt("unknown value " + name);
  }

  /** Returns the reason for a decision with that name. */
  static Reason reason(String name) {
    return Stream.<Reason>concat(
            Arrays.stream(ReasonCode.values()), Arrays.stream(RunOutcome.values()))
        .filter(code -> code.wireName().equals(name))
        .findFirst()
        .orElseThrow(() -> JournalException.corrupt("unknown reason " + name));
  }

  /** The kind of a decision, with what follows its name, e.g. the group that starts. */
  record KindAndSubject(DecisionKind kind, String subject) {
    static KindAndSubject of(String text) {
      for (DecisionKind kind : DecisionKind.values()) {
        String name = word(kind);
        if (text.equals(name)) {
          return new KindAndSubject(kind, "");
        }
        if (text.startsWith(name + " ")) {
          return new KindAndSubject(kind, text.substring(name.length() + 1));
        }
      }
      throw JournalException.corrupt("unknown decision " + text);
    }

    /** What {@link #of} reads. */
    String text() {
      return subject.isEmpty() ? word(kind) : word(kind) + " " + subject;
    }
  }
}
