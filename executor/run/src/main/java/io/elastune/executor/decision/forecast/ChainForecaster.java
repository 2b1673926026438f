package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.GroupsPolicy;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TimelineRecipient;
import io.elastune.core.timeline.TrainedGroup;
import io.elastune.core.timeline.TrialPlace;
import io.elastune.executor.decision.forecast.ForecastBasis.TrialKey;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Forecasts the rest of a run whose chains have instances of their own and whose groups end at
 * barriers: plays each chain from the present state. Needs the profiles ({@link
 * RunDefinition#planning}).
 */
public final class ChainForecaster implements Forecaster {
  /** The numbers of instances that are not yet requested, for their draws, by chain. */
  private static final int NEW_INSTANCES = 100_000;

  private final ForecastBasis basis;
  private final RunDefinition definition;
  private final RunState state;

  public ChainForecaster(ForecastBasis basis) {
    this.basis = basis;
    this.definition = basis.definition();
    this.state = basis.state();
  }

  @Override
  public RestForecast forecast() {
    return RestForecast.ofChains(state.chains().size(), chain -> new Rest(chain).forecast());
  }

  /** Returns the seconds until the group in progress ends; 0 if none is. */
  public double groupLeftS(int chain) {
    return new Rest(chain).groupLeftS();
  }

  /**
   * Returns the group in progress at its end, with the places of its trials among the instances
   * that are held; empty if none is.
   */
  public Optional<TrainedGroup> trained(int chain) {
    return new Rest(chain).trained();
  }

  /** A group that is left, with its allocation. */
  private record PlayedGroup(
      int index, TrialGroup group, int trials, Allocation allocation, Offer offer) {
    boolean continuesWith(PlayedGroup next) {
      return next.offer().name().equals(offer.name());
    }
  }

  /** An attempt that continues, and the indexes of its instances among those that are held. */
  private record Running(AttemptState attempt, List<Integer> instances) {
    Instant startedAt() {
      return attempt.startedAt();
    }

    int trial() {
      return attempt.trial();
    }
  }

  /** The rest of a chain. */
  private final class Rest {
    private final int chain;
    private final List<PlayedGroup> groups = new ArrayList<>();
    private final List<TrialDuration> durations = new ArrayList<>();

    /**
     * Of the group in progress: attempts that continue, trials that wait, and those that have
     * ended.
     */
    private final List<Running> running = new ArrayList<>();

    private final List<Integer> waiting = new ArrayList<>();

    private List<Integer> ended = List.of();

    /** The instances that the chain holds for the first group that is left. */
    private final List<LeaseState> held = new ArrayList<>();

    /** Their indexes by lease. */
    private final Map<String, Integer> indexes = new HashMap<>();

    /** Whether the first group has started. */
    private final boolean isUnderWay;

    Rest(int chain) {
      this.chain = chain;
      ChainState at = state.chains().get(chain);
      List<TrialGroup> all = definition.workload().chains().get(chain).groups();
      boolean hasStarted = at.group() < all.size() && at.started().size() > at.group();
      if (hasStarted) {
        hold(all.get(at.group()));
        addPresent(at);
        add(at.group(), all.get(at.group()), running.size() + waiting.size());
      }
      isUnderWay = !groups.isEmpty();
      for (int i = at.group() + (hasStarted ? 1 : 0); i < all.size(); i++) {
        add(i, all.get(i), at.trialsToTrain(all.get(i), state.trials()));
      }
      if (!isUnderWay && !groups.isEmpty()) {
        hold(groups.get(0).group());
      }
    }

    private void hold(TrialGroup group) {
      held.clear();
      indexes.clear();
      String offer = state.allocation(definition, group).offer();
      for (LeaseState lease : state.leases().values()) {
        if (lease.pool() == chain && lease.held() && lease.offer().equals(offer)) {
          indexes.put(lease.lease(), held.size());
          held.add(lease);
        }
      }
    }

    private void addPresent(ChainState at) {
      for (AttemptState attempt : state.attempts().values()) {
        if (attempt.chain() == chain) {
          boolean continues = attempt.isActive() || attempt.done();
          List<Integer> instances = instances(attempt);
          if (continues && !instances.isEmpty()) {
            running.add(new Running(attempt, instances));
          } else if (!attempt.done()) {
            waiting.add(attempt.trial());
          }
        }
      }
      running.sort(Comparator.comparing(Running::startedAt).thenComparingInt(Running::trial));
      waiting.addAll(at.waiting());
      ended = basis.placesMatter() ? PastPlaces.endedOf(state, chain, any -> true) : List.of();
    }

    private void add(int index, TrialGroup group, int trials) {
      if (trials > 0) {
        Allocation allocation = state.allocation(definition, group);
        Offer offer = definition.offer(allocation.offer());
        groups.add(new PlayedGroup(index, group, trials, allocation, offer));
        durations.add(basis.duration(group, allocation));
      }
    }

    /** The trials of the group in progress, in the order of their tasks. */
    private List<Integer> present() {
      List<Integer> trials = new ArrayList<>();
      running.forEach(one -> trials.add(one.trial()));
      trials.addAll(waiting);
      trials.addAll(ended);
      return trials;
    }

    /** The indexes of the instances of an attempt; none if one of them is not held. */
    private List<Integer> instances(AttemptState attempt) {
      SortedSet<Integer> instances = new TreeSet<>();
      for (GpuSlot place : attempt.places()) {
        Integer index = indexes.get(place.lease());
        if (index == null) {
          return List.of();
        }
        instances.add(index);
      }
      return List.copyOf(instances);
    }

    RestForecast forecast() {
      return groups.isEmpty() ? RestForecast.NONE : play().forecast();
    }

    double groupLeftS() {
      return isUnderWay ? play().search.endS(0, 0) : 0;
    }

    private Played play() {
      return new Played(this);
    }

    Optional<TrainedGroup> trained() {
      return isUnderWay && groups.size() > 1 ? Optional.of(play().trained()) : Optional.empty();
    }
  }

  /** When the trials of the first group end, and this group. */
  private static final class FirstEnds implements TimelineRecipient {
    private final Map<Task, Double> endS = new LinkedHashMap<>();

    @Override
    public void ended(Task task, double nowS) {
      if (task.group() == 0) {
        endS.put(task, nowS);
      }
    }

    List<TrialPlace> places(double atS) {
      List<TrialPlace> places = new ArrayList<>();
      endS.forEach((task, ownS) -> places.add(task.place(atS - ownS)));
      return places;
    }
  }

  /** The rest of a chain that has been played. */
  private final class Played {
    private final Rest rest;
    private final ChainsRun search;
    private final Timeline timeline;
    private final PastPlaces past;
    private final FirstEnds ends = new FirstEnds();
    private final double seconds;

    Played(Rest rest) {
      this.rest = rest;
      search =
          new ChainsRun(
                  List.of(
                      rest.groups.stream()
                          .map(one -> new ChainsRun.Group(one.trials(), 0, 1))
                          .toList()))
              .withGroupPhases();
      List<List<Integer>> teams =
          rest.running.stream().map(Running::instances).filter(team -> team.size() > 1).toList();
      GroupsPolicy policy =
          new GroupsPolicy(search, sizes(), definition.plan().hold()).from(requested(), teams);
      int gpus = rest.groups.stream().mapToInt(one -> one.offer().gpus()).max().orElseThrow();
      timeline = new Timeline(search, policy, this::begin, this::request, gpus);
      boolean placesMatter = basis.placesMatter();
      if (placesMatter) {
        var unused = search.withPlaces(this::continuing);
        var unusedToo = timeline.withPlaces(definition.keepAlive());
      }
      timeline.tracedTo(ends).begin();
      past = new PastPlaces(state, rest.held);
      if (placesMatter && rest.isUnderWay) {
        recordPlaces();
      }
      rest.running.forEach(this::addRunning);
      seconds = timeline.play();
    }

    private void recordPlaces() {
      for (int i = 0; i < rest.waiting.size(); i++) {
        past.add(rest.waiting.get(i), search.before(0, rest.running.size() + i));
      }
      rest.ended.forEach(trial -> past.add(trial, search.endedBefore(0)));
      past.record(timeline);
    }

    /** Trials that have ended keep their programs until the group ends. */
    TrainedGroup trained() {
      TrialGroup group = rest.groups.get(0).group();
      double endS = search.endS(0, 0);
      List<TrialPlace> places = new ArrayList<>(ends.places(endS));
      for (int trial : rest.ended) {
        past.of(trial).ifPresent(place -> places.add(place.after(endS)));
      }
      return new TrainedGroup(group.with(places.size(), group.fromUnit(), group.toUnit()), places)
          .on(number -> number < rest.held.size() ? number : -1);
    }

    private int[] continuing(int queue, int group) {
      PlayedGroup one = rest.groups.get(group);
      int next = rest.groups.get(group + 1).trials();
      if (group == 0 && rest.isUnderWay) {
        return basis.continuing(rest.chain, one.index(), rest.present(), next);
      }
      return basis.continuing(rest.chain, one.index(), one.trials(), next);
    }

    /**
     * The instances at the start: those that are held, and those that a group lacks that starts.
     */
    private int requested() {
      int instances = rest.groups.get(0).allocation().instances();
      return rest.isUnderWay ? rest.held.size() : Math.max(instances, rest.held.size());
    }

    private List<GroupsPolicy.Group> sizes() {
      List<GroupsPolicy.Group> sizes = new ArrayList<>();
      for (int i = 0; i < rest.groups.size(); i++) {
        PlayedGroup one = rest.groups.get(i);
        boolean continues = i + 1 < rest.groups.size() && one.continuesWith(rest.groups.get(i + 1));
        int kept = continues ? rest.groups.get(i + 1).allocation().instances() : 0;
        sizes.add(GroupsPolicy.Group.of(one.offer(), one.allocation(), kept));
      }
      return sizes;
    }

    private void addRunning(Running one) {
      AttemptState attempt = one.attempt();
      Task task = Objects.requireNonNull(timeline.issue(0));
      double leftS = basis.leftS(attempt, rest.durations.get(0), key(0, attempt.trial()));
      int gpus = attempt.places().size();
      if (one.instances().size() > 1) {
        timeline.addRunning(task, one.instances(), gpus, leftS);
      } else {
        int firstGpu = SharedInstances.firstGpu(attempt);
        timeline.addRunning(task, one.instances().get(0), firstGpu, attempt.width(), leftS);
      }
    }

    private TrialKey key(int of, int trial) {
      PlayedGroup group = rest.groups.get(of);
      return new TrialKey(group.offer(), rest.chain, group.index(), trial);
    }

    private void begin(Task task, Instance instance, boolean starts) {
      int of = task.group();
      TrialGroup group = rest.groups.get(of).group();
      int waiting = task.trial() - rest.running.size();
      boolean isPresent = of == 0 && rest.isUnderWay;
      int trial = isPresent ? rest.waiting.get(waiting) : task.trial();
      int units = isPresent ? basis.unitsLeft(group, trial) : group.units();
      TrialDuration duration = rest.durations.get(of);
      TrialKey key = key(of, trial);
      double startupS = starts ? basis.startupS(duration, key) : 0;
      double trainingS = units * basis.unitS(duration, units, key) * instance.slowness();
      task.lasts(startupS, trainingS, startupS + trainingS);
    }

    private void request(Instance instance, double nowS) {
      Offer offer = rest.groups.get(instance.requester()).offer();
      if (isHeld(instance)) {
        LeaseState lease = rest.held.get(instance.number());
        instance.boots(nowS, Math.max(0, basis.readyS(lease)), false);
        instance.isSlowerBy(basis.draws().slowness(basis.forecastProfile(offer), lease.number()));
        return;
      }
      int number = (rest.chain + 1) * NEW_INSTANCES + instance.number();
      double retryS = nowS == 0 ? basis.retryInS(rest.chain) : 0;
      double runningS = nowS + retryS + basis.draws().queueS(offer, number);
      instance.boots(runningS, runningS + basis.draws().bootS(offer, number), false);
      instance.isSlowerBy(basis.draws().slowness(basis.forecastProfile(offer), number));
    }

    private boolean isHeld(Instance instance) {
      return instance.number() < rest.held.size();
    }

    RestForecast forecast() {
      double usd =
          basis.usd(
              timeline,
              rest.held,
              instance ->
                  basis.newUsd(
                      rest.groups.get(instance.requester()).offer(),
                      instance.runningS(),
                      instance.releasedS(),
                      instance.usedS()));
      return new RestForecast(seconds, usd);
    }
  }
}
