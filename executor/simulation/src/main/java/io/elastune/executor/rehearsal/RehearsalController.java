package io.elastune.executor.rehearsal;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.NextTick;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.MeasuredSpeed;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.replan.ReplanService;
import io.elastune.executor.runtime.CommandExecutor;
import io.elastune.executor.simulation.FaultKind;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.TrainingGroundTruth;
import io.elastune.executor.simulation.VirtualTime;
import io.elastune.provisioner.CloudEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Executes one run in the simulated environment, as the runtime does in a real run: the state after
 * a step is journaled before its commands are executed. The controller may be killed at any point,
 * and is then restarted from its journal. Ticks without any decision are skipped.
 */
final class RehearsalController {
  private static final int SURVIVES = Integer.MAX_VALUE;
  private static final int BEFORE_JOURNAL = -1;

  /** Response time of the planner and of budget requests, in seconds. */
  private static final double RESPONSE_S = 0.05;

  /** The controller takes a report for later by this many seconds: it measures time in ticks. */
  private static final double TICK_S = 2;

  /** Probability that a simulated sampler proposes nothing. */
  private static final double SAMPLER_FAILS = 0.2;

  private final RehearsedJob job;
  private final SimulatedEnvironment world;
  private final DecisionFunction decisionFunction;
  private final VirtualTime time;
  private final RandomStream kills;
  private final RandomStream sampler;
  private final Optional<ReplanService> replanService;
  private RehearsalAdapters rehearsalAdapters;
  private RunState state;
  private boolean alive = true;
  private long offset;
  private long maxClockError;
  private double clockUnknownS = ClockError.MOST_S;
  private long tickAt = Long.MAX_VALUE;
  private long events;
  private double completedS = Double.NaN;

  RehearsalController(
      RehearsedJob job,
      SimulatedEnvironment world,
      DecisionFunction decisionFunction,
      Optional<ReplanService> replanService) {
    this.job = job;
    this.world = world;
    this.decisionFunction = decisionFunction;
    this.time = world.time();
    this.kills = world.randomStream("kills");
    this.sampler = world.randomStream("sampler");
    this.replanService = replanService;
    this.state = RunState.confirmed(job.definition(), time.instant());
    this.rehearsalAdapters = hands();
  }

  private RehearsalAdapters hands() {
    return new RehearsalAdapters(
        job,
        world.cloud(event -> deliver(new RunEvent.FromCloud(event))),
        world.engine(event -> deliver(new RunEvent.FromEngine(event))),
        new AdvisorRequests());
  }

  private final class AdvisorRequests implements CommandExecutor.AdvisorRequests {
    @Override
    public void replan(Command.Replan command) {
      ReplanResponse replanResponse = replanService.orElseThrow().replan(command.question());
      respond(() -> new RunEvent.Replanned(command.number(), replanResponse, now()));
    }

    @Override
    public void configure(Command.ConfigureTrials command) {
      boolean fails = sampler.happens(SAMPLER_FAILS);
      respond(() -> configured(command, fails));
    }

    @Override
    public void chooseMeasurement(Command.ChooseMeasurement command) {
      throw new IllegalStateException("a profiling run is not rehearsed");
    }

    @Override
    public void askBudget(Command.AskBudget command) {
      respond(
          () ->
              new RunEvent.BudgetAnswered(
                  command.number(), false, "no user in a rehearsal", now()));
    }
  }

  /** Returns synthetic proposals, or the error of a sampler that fails at times. */
  private RunEvent configured(Command.ConfigureTrials command, boolean fails) {
    List<String> configs = fails ? List.of() : Collections.nCopies(command.trials().size(), "{}");
    return new RunEvent.Configured(
        command.request(), configs, fails ? "a simulated error" : "", now());
  }

  /** Delivers the response to the controller that made the request, if it is still alive. */
  private void respond(Supplier<RunEvent> event) {
    RehearsalAdapters requester = rehearsalAdapters;
    time.scheduleAfter(
        RESPONSE_S,
        () -> {
          if (alive && requester == rehearsalAdapters) {
            deliver(event.get());
          }
        });
  }

  void start() {
    process(new RunEvent.Began(now()));
  }

  RunState state() {
    return state;
  }

  boolean isFinished() {
    return alive && state.phase() == RunState.Phase.FINISHED;
  }

  /** Returns the number of events processed. */
  long events() {
    return events;
  }

  /** Returns the virtual time at which the last group ended, in seconds; NaN before. */
  double completedS() {
    return completedS;
  }

  /** Returns the largest error of the controller's clock, in seconds. */
  double maxClockErrorS() {
    return maxClockError / 1e9;
  }

  /**
   * Returns the time of the controller's clock, which never goes back behind an event that was
   * already processed.
   */
  private Instant now() {
    Instant now = time.instant().plusNanos(offset);
    if (now.isBefore(state.now())) {
      offset += Duration.between(now, state.now()).toNanos();
      now = state.now();
    }
    maxClockError = Math.max(maxClockError, Math.abs(offset));
    return now;
  }

  private void deliver(RunEvent event) {
    if (event.at().isBefore(now())) {
      process(new RunEvent.Ticked(now())); // a late event does not set the clock back
    }
    process(event);
  }

  private void process(RunEvent event) {
    if (!alive || isFinished()) {
      return;
    }
    events++;
    StepResult stepResult = decisionFunction.step(state, event);
    int killBefore = drawKill(stepResult.commands().size());
    if (killBefore == BEFORE_JOURNAL) {
      die(0);
      return;
    }
    record(event);
    MeasuredSpeed speed = state.steering().pace();
    boolean wasRunning = state.phase() == RunState.Phase.RUNNING;
    state = stepResult.state();
    if (wasRunning && state.phase() != RunState.Phase.RUNNING) {
      world.groundTruth().stopDecided(unreportedS(), clockUnknownS + TICK_S);
    }
    if (Double.isNaN(completedS) && allGroupsEnded()) {
      completedS = time.seconds();
    }
    boolean onlyReport = isOnlyReport(event, stepResult);
    if (!onlyReport) {
      rehearsalAdapters.limitNodeExpiry(state);
    }
    execute(stepResult.commands(), killBefore);
    if ((!onlyReport || changesForecast(speed)) && alive) {
      setAlarm();
    }
  }

  private Map<String, Double> unreportedS() {
    Map<String, Double> seconds = new HashMap<>();
    for (LeaseState lease : state.leases().values()) {
      if (lease.runningAt().isEmpty()) {
        Instant end = lease.terminatedAt().orElse(state.now());
        seconds.put(lease.lease(), Seconds.between(lease.requestedAt(), end));
      }
    }
    return seconds;
  }

  private boolean changesForecast(MeasuredSpeed before) {
    MeasuredSpeed speed = state.steering().pace();
    return before.factor() != speed.factor()
        || before.startupShiftS() != speed.startupShiftS()
        || before.reportUnits() != speed.reportUnits();
  }

  private void execute(List<Command> commands, int killBefore) {
    for (int i = 0; i < commands.size(); i++) {
      if (i == killBefore) {
        die(commands.size() - i);
        return;
      }
      rehearsalAdapters.execute(commands.get(i));
    }
    if (killBefore == commands.size()) {
      die(commands.size()); // all executed, but not confirmed in the journal
    }
  }

  /** Draws before which command the controller is killed, if at all. */
  private int drawKill(int commands) {
    double mean = job.faults().killMeanSteps();
    if (mean == 0 || !kills.happens(1 / mean)) {
      return SURVIVES;
    }
    return kills.intBelow(commands + 2) + BEFORE_JOURNAL;
  }

  private void die(int unconfirmed) {
    if (state.phase() == RunState.Phase.FINISHED) {
      return; // the run is already finished
    }
    FaultRates faultRates = job.faults();
    // The runtime journals the time every second.
    Instant journaled = now().truncatedTo(ChronoUnit.SECONDS);
    if (journaled.isAfter(state.now())) {
      state = state.at(journaled);
    }
    world.groundTruth().faultCounts().count(FaultKind.CONTROLLER_KILLED);
    alive = false;
    tickAt = Long.MAX_VALUE;
    rehearsalAdapters.fail(world, kills.happens(0.5));
    world.groundTruth().controllerStopped();
    double clockErrorS = kills.between(-faultRates.clockJumpS(), faultRates.clockJumpS());
    time.scheduleAfter(
        kills.exponential(faultRates.downMeanS()), () -> restart(unconfirmed, clockErrorS));
  }

  private void restart(int unconfirmed, double clockErrorS) {
    world.groundTruth().controllerStarted();
    setClock(clockErrorS);
    rehearsalAdapters = hands();
    alive = true;
    process(new RunEvent.Resumed(unconfirmed, now()));
  }

  private void setClock(double clockErrorS) {
    offset = VirtualTime.nanos(clockErrorS);
    clockUnknownS = ClockError.MOST_S;
    if (offset != 0) {
      world.groundTruth().faultCounts().count(FaultKind.CLOCK_JUMPED);
    }
  }

  /**
   * Records in the ground truth which reports and checkpoints the controller knows of from now on,
   * and how far its clock may be wrong as far as it can know.
   */
  private void record(RunEvent event) {
    if (event instanceof RunEvent.FromCloud cloud
        && cloud.event() instanceof CloudEvent.Running running) {
      clockUnknownS = Math.min(clockUnknownS, Math.max(0, Seconds.between(running.at(), now())));
    }
    if (!(event instanceof RunEvent.FromEngine engine)) {
      return;
    }
    TrainingGroundTruth training = world.groundTruth().training();
    String attempt = engine.event().attempt();
    boolean known = state.attempts().containsKey(attempt);
    if (known && engine.event() instanceof EngineEvent.Reported reported) {
      training.reportReceived(attempt, reported.unit());
    }
    if (engine.event() instanceof EngineEvent.Ended ended) {
      world.groundTruth().endReported(attempt);
      int number = AttemptState.trialOf(attempt);
      TrialState trial = state.trials().get(number);
      if (known || (trial != null && trial.isLastEnded(attempt))) {
        training.checkpointCommitted(number, ended.checkpoint().orElse(0));
      }
    }
  }

  private boolean allGroupsEnded() {
    for (int chain = 0; chain < state.chains().size(); chain++) {
      int groups = job.definition().workload().chains().get(chain).groups().size();
      if (state.chains().get(chain).group() < groups) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the event is a report without commands. It can only postpone timers, so the
   * tick that is set remains early enough.
   */
  private static boolean isOnlyReport(RunEvent event, StepResult stepResult) {
    return stepResult.commands().isEmpty()
        && event instanceof RunEvent.FromEngine engine
        && engine.event() instanceof EngineEvent.Reported;
  }

  /**
   * Schedules the next tick. The runtime ticks every second; here, only the first tick that any
   * timer needs is kept.
   */
  private void setAlarm() {
    NextTick.next(job.definition(), state)
        .map(this::nextWholeSecond)
        .ifPresent(
            wanted -> {
              long at = Math.max(wanted, VirtualTime.nanos(Math.floor(time.seconds()) + 1));
              if (at < tickAt) {
                tickAt = at;
                time.scheduleAt(at, () -> tick(at));
              }
            });
  }

  private long nextWholeSecond(Instant moment) {
    long nanos = time.nanos(moment) - offset;
    return VirtualTime.nanos(Math.ceil(nanos / 1e9));
  }

  private void tick(long at) {
    if (at == tickAt) {
      tickAt = Long.MAX_VALUE;
      process(new RunEvent.Ticked(now()));
    }
  }
}
