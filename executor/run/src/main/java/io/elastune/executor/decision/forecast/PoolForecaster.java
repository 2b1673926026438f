package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PoolSizes;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.executor.decision.forecast.ForecastBasis.TrialKey;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.PoolProgress;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Forecasts the rest of a run whose chains share instances: plays it from the present state
 * (docs/searches.md, "Shared instances").
 */
final class PoolForecaster implements Forecaster {
  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final PoolProgress progress;
  private final SharedInstances instances;
  private final List<RestOfChain> rests = new ArrayList<>();

  /**
   * A chain that has not ended.
   *
   * @param running attempts of the group in progress that continue
   * @param waiting its trials that wait; empty if it has not started
   * @param ended its trials that have ended
   */
  private record RestOfChain(
      int chain,
      List<PoolGroup> groups,
      List<AttemptState> running,
      List<Waiting> waiting,
      List<Integer> ended) {
    /** The trials of the group in progress, in the order of their tasks. */
    List<Integer> present() {
      List<Integer> trials = new ArrayList<>();
      running.forEach(attempt -> trials.add(attempt.trial()));
      waiting.forEach(one -> trials.add(one.trial()));
      trials.addAll(ended);
      return trials;
    }
  }

  /** A trial that lacks some units and does not run. */
  private record Waiting(int trial, int units) {}

  /** An attempt of a chain, by its index in {@link #rests}, on an instance by its index. */
  private record RunningAttempt(int rest, AttemptState attempt, int instance, int firstGpu) {}

  PoolForecaster(ForecastBasis basis) {
    this.basis = basis;
    this.definition = basis.definition();
    this.state = basis.state();
    this.progress = new PoolProgress(definition, state);
    this.instances = new SharedInstances(basis, progress.offer());
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<PoolGroup> groups = progress.groups(chain);
      if (!groups.isEmpty()) {
        rests.add(rest(chain, groups));
      }
    }
  }

  private RestOfChain rest(int chain, List<PoolGroup> groups) {
    List<AttemptState> running = new ArrayList<>();
    List<Waiting> waiting = new ArrayList<>();
    ChainState at = state.chains().get(chain);
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() != chain) {
        continue;
      }
      if ((attempt.isActive() || attempt.done()) && instances.indexOf(attempt) >= 0) {
        running.add(attempt);
      } else {
        int units = attempt.done() ? 0 : unitsLeft(chain, attempt.trial());
        waiting.add(new Waiting(attempt.trial(), units));
      }
    }
    at.waiting().forEach(trial -> waiting.add(new Waiting(trial, unitsLeft(chain, trial))));
    List<Integer> ended =
        definition.keepAlive() ? PastPlaces.endedOf(state, chain, any -> true) : List.of();
    return new RestOfChain(chain, groups, running, waiting, ended);
  }

  private int unitsLeft(int chain, int trial) {
    TrialGroup group =
        definition.workload().chains().get(chain).groups().get(state.chains().get(chain).group());
    return basis.unitsLeft(group, trial);
  }

  @Override
  public RestForecast forecast() {
    if (rests.isEmpty()) {
      return RestForecast.NONE;
    }
    List<List<PoolGroup>> chains = rests.stream().map(RestOfChain::groups).toList();
    double[] readyS = instances.readyS(progress.instances());
    int gpus = progress.offer().gpus();
    ChainsRun search = ChainsRun.of(chains);
    ListPolicy policy =
        new ListPolicy(
            search,
            new PoolSizes(chains, search, readyS.length, gpus, definition.plan().hold()),
            gpus);
    Timeline timeline = new Timeline(search, policy, this::begin, instances.times(readyS), gpus);
    if (definition.keepAlive()) {
      var unused = search.withPlaces(this::continuing);
      var unusedToo = timeline.withPlaces(true);
    }
    timeline.begin();
    if (definition.keepAlive()) {
      recordPlaces(search, timeline);
    }
    for (RunningAttempt one : running()) {
      addRunning(timeline, one);
    }
    double seconds = timeline.play();
    return new RestForecast(seconds, instances.usd(timeline));
  }

  private void recordPlaces(ChainsRun search, Timeline timeline) {
    PastPlaces past = new PastPlaces(state, basis.held());
    for (int queue = 0; queue < rests.size(); queue++) {
      RestOfChain rest = rests.get(queue);
      for (int i = 0; i < rest.waiting().size(); i++) {
        past.add(rest.waiting().get(i).trial(), search.before(queue, rest.running().size() + i));
      }
      for (int trial : rest.ended()) {
        past.add(trial, search.endedBefore(queue));
      }
    }
    past.record(timeline);
  }

  private int[] continuing(int queue, int group) {
    RestOfChain rest = rests.get(queue);
    List<PoolGroup> groups = rest.groups();
    int chain = rest.chain();
    if (group == 0 && !rest.present().isEmpty()) {
      int next = groups.get(1).trials();
      return basis.continuing(chain, state.chains().get(chain).group(), rest.present(), next);
    }
    return basis.continuing(
        chain,
        state.chains().get(chain).group() + group,
        groups.get(group).trials(),
        groups.get(group + 1).trials());
  }

  /** The attempts that continue, in the order of their start. */
  private List<RunningAttempt> running() {
    List<RunningAttempt> running = new ArrayList<>();
    for (int rest = 0; rest < rests.size(); rest++) {
      for (AttemptState attempt : rests.get(rest).running()) {
        running.add(
            new RunningAttempt(
                rest, attempt, instances.indexOf(attempt), SharedInstances.firstGpu(attempt)));
      }
    }
    running.sort(
        Comparator.comparing((RunningAttempt one) -> one.attempt().startedAt())
            .thenComparingInt(RunningAttempt::instance)
            .thenComparingInt(RunningAttempt::firstGpu));
    return running;
  }

  private void addRunning(Timeline timeline, RunningAttempt one) {
    int gpus = one.attempt().places().size();
    double leftS =
        basis.leftS(one.attempt(), duration(gpus), key(one.rest(), 0, one.attempt().trial()));
    Task task = Objects.requireNonNull(timeline.issue(one.rest()));
    timeline.addRunning(task, one.instance(), one.firstGpu(), gpus, leftS);
  }

  private TrialDuration duration(int gpus) {
    Allocation allocation = progress.allocation();
    return basis.duration(new Allocation(allocation.offer(), 1, gpus, 1));
  }

  /** {@code group}: its index among those that are left. */
  private TrialKey key(int rest, int group, int trial) {
    int chain = rests.get(rest).chain();
    return new TrialKey(progress.offer(), chain, state.chains().get(chain).group() + group, trial);
  }

  private void begin(Task task, Instance instance, boolean starts) {
    RestOfChain rest = rests.get(task.queue());
    int waiting = task.trial() - rest.running().size();
    boolean isKnown = task.group() == 0 && waiting < rest.waiting().size();
    int units = isKnown ? rest.waiting().get(waiting).units() : units(rest.chain(), task.group());
    int trial = isKnown ? rest.waiting().get(waiting).trial() : task.trial();
    TrialDuration duration = duration(rest.groups().get(task.group()).gpus());
    TrialKey key = key(task.queue(), task.group(), trial);
    double seconds =
        (starts ? basis.startupS(duration, key) : 0)
            + units * basis.unitS(duration, units, key) * instance.slowness();
    task.lasts(0, seconds, seconds);
  }

  /** The units of a group by its index among those that are left. */
  private int units(int chain, int group) {
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    int index = state.chains().get(chain).group() + group;
    return groups.get(Math.min(index, groups.size() - 1)).units();
  }
}
