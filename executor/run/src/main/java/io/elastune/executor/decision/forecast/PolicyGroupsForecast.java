package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidState;
import io.elastune.core.policy.HermesState;
import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.AssumedCurve;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.HermesRun;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.PolicyRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidProgress;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Forecasts the rest of trial groups under Fluid or Hermes: plays them from the present state, with
 * the paces of the trials. Start-ups and units that have begun end when they are due. In the
 * timeline, the trials of the group in progress are numbered from 0.
 */
final class PolicyGroupsForecast {
  private static final int CHAIN = 0;

  private final ForecastBasis basis;
  private final RunDefinition definition;
  private final RunState state;
  private final ChainState chain;

  /** The groups that are played, the one in progress first, if one is. */
  private final List<TrialGroup> groups = new ArrayList<>();

  private final List<ChainsRun.Group> played = new ArrayList<>();

  /** The trials of the group in progress that have not ended. */
  private final List<Unfinished> present;

  /** Those that have ended. */
  private final List<Integer> ended;

  /**
   * A trial of the group in progress.
   *
   * @param left units that are still to be trained
   * @param attempt its attempt that continues
   */
  private record Unfinished(int trial, int left, Optional<AttemptState> attempt) {}

  PolicyGroupsForecast(ForecastBasis basis) {
    this.basis = basis;
    definition = basis.definition();
    state = basis.state();
    chain = state.chains().get(CHAIN);
    List<TrialGroup> all = definition.workload().chains().get(CHAIN).groups();
    boolean isUnderWay = chain.started().size() > chain.group();
    present = isUnderWay ? unfinished(all.get(chain.group())) : List.of();
    ended =
        definition.keepAlive()
            ? PastPlaces.endedOf(state, CHAIN, attempt -> left(attempt) > 0)
            : List.of();
    if (!present.isEmpty()) {
      play(all.get(chain.group()), present.size());
    }
    for (TrialGroup group : all.subList(chain.group() + (isUnderWay ? 1 : 0), all.size())) {
      int trials = chain.trialsToTrain(group, state.trials());
      if (trials > 0) {
        play(group, trials);
      }
    }
  }

  private void play(TrialGroup group, int trials) {
    groups.add(group);
    played.add(new ChainsRun.Group(trials, 0, group.units()));
  }

  /** The trials of a group that have not ended, in the order of their numbers. */
  private List<Unfinished> unfinished(TrialGroup group) {
    SortedMap<Integer, Unfinished> byTrial = new TreeMap<>();
    for (AttemptState attempt : state.attempts().values()) {
      Optional<AttemptState> running = Optional.of(attempt).filter(AttemptState::isActive);
      int left = savesBeforeItsEnd(attempt) ? left(attempt) : unitsLeft(group, attempt.trial());
      if (left(attempt) > 0) {
        byTrial.put(attempt.trial(), new Unfinished(attempt.trial(), left, running));
      }
    }
    for (int trial : chain.waiting()) {
      byTrial.putIfAbsent(trial, new Unfinished(trial, unitsLeft(group, trial), Optional.empty()));
    }
    return List.copyOf(byTrial.values());
  }

  private static boolean savesBeforeItsEnd(AttemptState attempt) {
    return attempt.isActive()
        || attempt.ending() == AttemptState.EndReason.RESIZED
        || attempt.ending() == AttemptState.EndReason.PREEMPTED;
  }

  private static int left(AttemptState attempt) {
    return attempt.done() ? 0 : attempt.to() - attempt.lastUnit();
  }

  private int unitsLeft(TrialGroup group, int trial) {
    return Math.max(1, Math.min(group.units(), basis.unitsLeft(group, trial)));
  }

  /**
   * Returns the seconds until the last group ends.
   *
   * @param offer the offer of all instances
   * @param readyS by instance: the seconds until it is ready
   */
  double seconds(Offer offer, double[] readyS) {
    if (played.isEmpty()) {
      return 0;
    }
    ChainsRun search = new ChainsRun(List.of(played)).withGroupPhases();
    Times times = new Times(offer);
    SharedInstances instances = new SharedInstances(basis, offer);
    PolicyRun policy =
        definition.hermes().isPresent()
            ? hermes(definition.hermes().get(), search, times, readyS.length, offer.gpus())
            : fluid(definition.fluid().orElseThrow(), search, times, instances, readyS.length);
    Timeline timeline = new Timeline(search, policy, times, instances.times(readyS), offer.gpus());
    if (definition.keepAlive()) {
      var unused = search.withPlaces(this::continuing);
      timeline.withPlaces(true).begin();
      recordPlaces(search, timeline);
    }
    return timeline.play();
  }

  private void recordPlaces(ChainsRun search, Timeline timeline) {
    PastPlaces past = new PastPlaces(state, basis.held());
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).attempt().isEmpty()) {
        past.add(present.get(i).trial(), search.before(CHAIN, i));
      }
    }
    int[] next =
        present.isEmpty() && groups.get(0).fromUnit() > 0
            ? basis.continuing(CHAIN, chain.group(), ended, played.get(0).trials())
            : new int[0];
    for (int i = 0; i < next.length; i++) {
      past.add(ended.get(next[i]), search.before(CHAIN, i));
    }
    for (int trial : ended) {
      if (!past.has(trial)) {
        past.add(trial, search.endedBefore(CHAIN));
      }
    }
    past.record(timeline);
  }

  private int[] continuing(int queue, int group) {
    if (groups.get(group + 1).fromUnit() == 0) {
      return new int[0]; // another bracket
    }
    int next = played.get(group + 1).trials();
    if (group == 0 && !present.isEmpty()) {
      List<Integer> trials =
          Stream.concat(present.stream().map(Unfinished::trial), ended.stream()).toList();
      return basis.continuing(CHAIN, chain.group(), trials, next);
    }
    return basis.continuing(CHAIN, firstGroup() + group, played.get(group).trials(), next);
  }

  /** The index of the first group that is played among all of the chain. */
  private int firstGroup() {
    return present.isEmpty() ? chain.started().size() : chain.group();
  }

  private PolicyRun fluid(
      FluidDefinition fluid, ChainsRun search, Times times, SharedInstances instances, int count) {
    FluidPolicy policy = new FluidPolicy(fluid.rule(), fluid);
    FluidState from =
        chain.fluid().map(FluidProgress::state).map(this::renumbered).orElseGet(policy::initial);
    return new ViewPolicy<>(
            policy,
            search,
            times,
            new ViewPolicy.Cluster(
                count,
                instances.gpus(),
                Admission.ALL,
                phase -> groups.get(phase).name(),
                PolicyView.Timing.NONE))
        .from(
            from,
            MeasuredTimes.NONE,
            () ->
                begun(search).stream()
                    .map(
                        task ->
                            new ViewPolicy.Begun(task, List.of(), false, start(task, instances)))
                    .toList());
  }

  private Optional<PolicyDecision.Start> start(Task task, SharedInstances instances) {
    return present
        .get(task.trial())
        .attempt()
        .flatMap(attempt -> instances.startOf(attempt, task.trial()));
  }

  /** The same state of Fluid, with the numbers of trials in the timeline. */
  private FluidState renumbered(FluidState before) {
    SortedMap<Integer, Width> widths = new TreeMap<>();
    SortedSet<Integer> candidates = new TreeSet<>();
    for (int i = 0; i < present.size(); i++) {
      int trial = present.get(i).trial();
      Width width = before.widths().get(trial);
      if (width != null) {
        widths.put(i, width);
      }
      if (before.candidates().contains(trial)) {
        candidates.add(i);
      }
    }
    return new FluidState(
        before.group(), widths, before.unfinished(), before.hasFreed(), candidates);
  }

  private PolicyRun hermes(
      HermesDefinition hermes, ChainsRun search, Times times, int instances, int gpus) {
    return new HermesRun(hermes.rule(), search, times, instances, gpus)
        .from(
            () ->
                begun(search).stream()
                    .map(
                        task ->
                            new HermesRun.Begun(
                                task, gpu(present.get(task.trial()), gpus), reports(task)))
                    .toList());
  }

  /** The tasks of the group in progress, all of which were issued. */
  private List<Task> begun(ChainsRun search) {
    List<Task> tasks = new ArrayList<>();
    for (Unfinished one : present) {
      Task task = Objects.requireNonNull(search.next(CHAIN));
      double trainedS = trial(one.trial()).map(it -> it.lastReport().trainedS()).orElse(0.0);
      task.continuesAfter(task.units() - one.left(), trainedS);
      tasks.add(task);
    }
    return tasks;
  }

  private Optional<TrialState> trial(int trial) {
    return Optional.ofNullable(state.trials().get(trial));
  }

  /** The GPU on which Hermes has placed a trial, counted over all instances. */
  private int gpu(Unfinished one, int gpusPerInstance) {
    HermesState.Gpu gpu = chain.hermes().map(hermes -> hermes.gpus().get(one.trial())).orElse(null);
    if (gpu != null) {
      List<LeaseState> held = basis.held();
      for (int i = 0; i < held.size(); i++) {
        if (held.get(i).number() == gpu.instance()) {
          return i * gpusPerInstance + gpu.gpu();
        }
      }
    }
    return Task.NONE;
  }

  /** The reports of a trial if they show how fast it converges. */
  private List<PolicyView.Report> reports(Task task) {
    boolean isPresent = task.group() == 0 && !present.isEmpty();
    return isPresent
        ? trial(present.get(task.trial()).trial())
            .map(TrialState::reports)
            .filter(reports -> reports.size() > 1)
            .orElse(List.of())
        : List.of();
  }

  /** Durations at the pace of each trial. */
  private final class Times implements TrialTimes {
    private final Optional<Profile> profile;

    /** Those under Fluid. */
    private final Optional<FluidPaces> paces;

    /** The attempts that continue, until they start in the forecast. */
    private final Map<Integer, AttemptState> continued = new HashMap<>();

    Times(Offer offer) {
      profile = basis.forecastProfile(offer);
      paces = definition.fluid().map(fluid -> new FluidPaces(fluid, chain.fluid()));
      for (int i = 0; i < present.size(); i++) {
        int trial = i;
        present.get(i).attempt().ifPresent(attempt -> continued.put(trial, attempt));
      }
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      AttemptState attempt = task.group() == 0 ? continued.remove(task.trial()) : null;
      boolean trains = attempt != null && attempt.isPastStartup();
      double startupS =
          trains || !starts
              ? 0
              : startupS() * basis.draws().startup(profile, CHAIN, group(task), trial(task));
      double unitS = perUnit(task.width()) * pace(task, true) * instance.slowness();
      task.trains(startupS, unitS);
      if (attempt != null) {
        task.hasBegunFor(basis.begunS(attempt, startupS, unitS));
      }
    }

    private double startupS() {
      return definition
          .fluid()
          .map(FluidDefinition::startupS)
          .orElseGet(() -> definition.hermes().orElseThrow().startupS());
    }

    private double perUnit(Width width) {
      return definition
          .fluid()
          .map(fluid -> fluid.perUnit(width))
          .orElseGet(() -> definition.hermes().orElseThrow().unitS());
    }

    @Override
    public double checkpointS() {
      return definition
          .fluid()
          .map(FluidDefinition::checkpointS)
          .orElseGet(() -> definition.hermes().orElseThrow().checkpointS());
    }

    /** The index of a group among all of the chain. */
    private int group(Task task) {
      return firstGroup() + task.group();
    }

    private boolean isPresent(Task task) {
      return task.group() == 0 && !present.isEmpty();
    }

    /** The number of a trial; in later groups, its index. */
    private int trial(Task task) {
      return isPresent(task) ? present.get(task.trial()).trial() : task.trial();
    }

    @Override
    public double pace(Task task, boolean hasReported) {
      boolean isMeasured =
          isPresent(task) && paces.filter(known -> known.isMeasured(trial(task))).isPresent();
      double factor =
          hasReported
              ? basis
                  .draws()
                  .units(profile, task.units(), isMeasured, CHAIN, group(task), trial(task))
              : 1;
      return factor * meanPace(task);
    }

    private double meanPace(Task task) {
      return paces.map(known -> isPresent(task) ? known.of(trial(task)) : known.mean()).orElse(1.0);
    }

    /** A trial converges as it does now; others reach results that are spread evenly. */
    @Override
    public double loss(Task task, int unit) {
      List<PolicyView.Report> reports = reports(task);
      boolean isMinimized = definition.hermes().orElseThrow().rule().isMinimized();
      if (reports.isEmpty()) {
        double share = PresentRanks.evenly(task.trial() + 1);
        return isMinimized
            ? AssumedCurve.metric(share, unit, true)
            : -AssumedCurve.metric(1 - share, unit, false);
      }
      PolicyView.Report last = reports.get(reports.size() - 1);
      PolicyView.Report before = reports.get(reports.size() - 2);
      double perUnit = (before.loss() - last.loss()) / (last.unit() - before.unit());
      int later = groups.get(0).fromUnit() + unit - last.unit();
      return last.loss() - AssumedCurve.change(perUnit, later);
    }
  }
}
