package io.elastune.simulator;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

/**
 * One group of a sample with faults in the {@link ReferenceSimulator}, written from the section
 * "Faults" of docs/model.md. A place is one instance or one team with room for several trials.
 */
public final class ReferenceFaults {
  /** The random numbers that decide about faults. */
  public interface FaultNumbers {
    /** Returns the hazard until a trial crashes or hangs for the first time in a group. */
    double firstTrialHazard(TrialGroup group, int trial);

    /** Returns uniform numbers: whether a fault of a trial is a crash, and its next hazard. */
    DoubleSupplier atTrialFault(TrialGroup group, int trial, int faultsBefore);

    /** Returns the hazard until a planned instance is lost. */
    double lossHazard(int planned);

    /** Returns the hazard until a replacement is lost, by its number. */
    double lossHazardOfReplacement(int number);

    /** Returns uniform numbers: what a fault of an instance is, and its next hazard. */
    DoubleSupplier atLoss(int number, int faultsBefore);

    /** Returns how often the last checkpoint of a trial is torn. */
    int torn(TrialGroup group, Profile profile, int trial);

    /** Returns queue and boot seconds and the slowness of a replacement, by its number. */
    double[] replacement(Chain chain, Offer offer, Profile profile, int number);

    /** Returns queue and boot seconds of each instance after a failed boot of a planned one. */
    List<double[]> afterFailedBoots(Chain chain, Offer offer, int planned);

    /** Returns the same of a replacement, by its number. */
    List<double[]> afterFailedBootsOfReplacement(Chain chain, Offer offer, int number);
  }

  /** The faults of a chain so far. */
  static final class Count {
    private int faults;

    /** Counts a fault; returns whether it occurs. */
    boolean next() {
      return ++faults <= 1000;
    }
  }

  /** Returns a hazard from a uniform number. */
  public static double hazard(double uniform) {
    return -Math.log(1 - uniform);
  }

  /** The hazard that is left of a trial, and its faults so far. */
  private static final class TrialHazard {
    double left;
    int faults;

    TrialHazard(double left) {
      this.left = left;
    }
  }

  private static final class Place {
    final List<ReferenceLease> members;
    final List<Double> freeSince = new ArrayList<>();

    Place(List<ReferenceLease> members, int room, double startS) {
      this.members = new ArrayList<>(members);
      for (int i = 0; i < room; i++) {
        freeSince.add(startS);
      }
    }

    /** Returns since when its next slot is free; infinite if it has none. */
    double availableS() {
      boolean gone = members.stream().anyMatch(member -> !Double.isNaN(member.releasedS));
      double since = freeSince.stream().mapToDouble(s -> s).min().orElse(Double.POSITIVE_INFINITY);
      return gone ? Double.POSITIVE_INFINITY : since;
    }

    int lowest() {
      return members.stream().mapToInt(member -> member.number).min().orElseThrow();
    }

    double y() {
      return members.stream().mapToDouble(member -> member.y).max().orElseThrow();
    }
  }

  private record Running(
      int trial,
      Place place,
      double fromS,
      double startupS,
      double unitS,
      int todo,
      double toS,
      double reportS) {
    int saved(double now) {
      double whole = Math.floor((now - fromS - startupS) / unitS);
      return (int) Math.min(todo - 1, Math.max(0, whole));
    }
  }

  private record Hanging(Running running, int saved, double untilS) {}

  private final ReferenceSimulator.RandomNumbers randomNumbers;
  private final FaultNumbers numbers;
  private final Count count;
  private final TrialHazard[] hazards;
  private final Chain chain;
  private final TrialGroup group;
  private final OptionalDouble silence;
  private final Offer offer;
  private final Profile profile;
  private final double work;
  private final double part;
  private final ReferenceCheckpoints checkpoints;
  private final List<ReferenceLease> all;
  private final List<ReferenceLease> held;
  private final List<ReferenceLease> unused;
  private final List<Place> places = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();
  private final List<Hanging> hanging = new ArrayList<>();
  private final PriorityQueue<Integer> waiting = new PriorityQueue<>();
  private final Map<Integer, List<ReferenceLease>> ranOn = new TreeMap<>();
  private final int[] todo;
  private final int[] torn;
  private double now;
  private double lastStart;
  private final double untilS;
  private double firstReportS = Double.POSITIVE_INFINITY;

  /**
   * @param all all leases of the chain; replacements are added
   * @param held the instances in use; replacements are added
   * @param unused the instances that are held without use
   * @param untilS when the search ends in any case
   */
  ReferenceFaults(
      Problem problem,
      ReferenceSimulator.RandomNumbers randomNumbers,
      FaultNumbers numbers,
      Count count,
      Chain chain,
      TrialGroup group,
      Allocation allocation,
      double work,
      List<ReferenceLease> all,
      List<ReferenceLease> held,
      List<ReferenceLease> unused,
      double untilS) {
    this.untilS = untilS;
    this.randomNumbers = randomNumbers;
    this.numbers = numbers;
    this.count = count;
    this.hazards = new TrialHazard[group.trials()];
    this.chain = chain;
    this.group = group;
    this.silence = problem.silence().seconds();
    this.offer = problem.offer(allocation.offer()).orElseThrow();
    this.profile = problem.profiles().get(offer.gpu());
    this.work = work;
    this.checkpoints =
        new ReferenceCheckpoints(
            group,
            offer,
            profile,
            allocation,
            ReferenceSimulator.perUnit(problem, offer, allocation));
    this.part =
        Math.min(
            1, allocation.gpusPerTrial() / (double) (offer.gpus() * allocation.trialsPerGpu()));
    this.all = all;
    this.held = held;
    this.unused = unused;
    this.todo = new int[group.trials()];
    this.torn = new int[group.trials()];
  }

  /** Returns the lease of an instance that is requested at {@code now}. */
  static ReferenceLease request(
      Chain chain,
      Offer offer,
      String group,
      int number,
      double now,
      double[] queueBootY,
      List<double[]> afterFailedBoots) {
    double runningS = now + queueBootY[0];
    ReferenceLease lease =
        new ReferenceLease(
            number, chain, offer, group, runningS, runningS + queueBootY[1], queueBootY[2]);
    lease.afterFailedBoots = afterFailedBoots;
    return lease;
  }

  /** Trains the group from {@code start}, releases what {@code need} does not, returns the end. */
  double run(
      Allocation allocation,
      double start,
      int need,
      boolean hold,
      List<List<ReferenceLease>> homes) {
    int spare = allocation.spare();
    now = start;
    lastStart = start;
    held.forEach(lease -> lease.enter(start));
    for (int trial = 0; trial < group.trials(); trial++) {
      waiting.add(trial);
      todo[trial] = group.units();
      torn[trial] = numbers.torn(group, profile, trial);
      hazards[trial] = new TrialHazard(numbers.firstTrialHazard(group, trial));
    }
    startAtHomes(allocation, homes);
    do {
      held.replaceAll(this::afterFailedBoot);
      unused.replaceAll(this::afterFailedBoot);
      createPlaces(allocation);
      while (startOne()) {
        lastStart = now;
      }
      if (waiting.isEmpty() && !hold) {
        boolean ended = running.isEmpty() && hanging.isEmpty();
        release(need, ended ? 0 : spare);
      }
    } while (step(allocation));
    List.copyOf(running).forEach(this::leave);
    List.copyOf(hanging).forEach(one -> leave(one.running));
    return now;
  }

  /** Returns when a trial first reported the metric that ends the search; infinite if none did. */
  double firstReportS() {
    return firstReportS;
  }

  double lastStart() {
    return lastStart;
  }

  /** Returns the instances on which each trial ran last. */
  Map<Integer, List<ReferenceLease>> ranOn() {
    return ranOn;
  }

  private void startAtHomes(Allocation allocation, List<List<ReferenceLease>> homes) {
    held.replaceAll(this::afterFailedBoot);
    createPlaces(allocation);
    List<Place> free = new ArrayList<>(places);
    free.removeIf(
        place -> place.members.stream().anyMatch(one -> one.requester.equals(group.name())));
    free.sort(Comparator.comparingInt(Place::lowest));
    if (!free.isEmpty()) {
      List<List<ReferenceLease>> instances = free.stream().map(place -> place.members).toList();
      int room = free.get(0).freeSince.size();
      for (int place : ReferenceHomes.choose(instances, room, homes, group.trials())) {
        occupy(free.get(place), now, waiting.remove());
      }
    }
  }

  /** Instances that are ready and in no place form places, in the order in which they are ready. */
  private void createPlaces(Allocation allocation) {
    List<ReferenceLease> order = new ArrayList<>(held);
    order.removeIf(lease -> lease.failsAtReady() || lease.readyS > now);
    places.forEach(place -> order.removeAll(place.members));
    int size = Math.max(1, allocation.gpusPerTrial() / offer.gpus());
    order.sort(
        Comparator.<ReferenceLease>comparingDouble(lease -> lease.readyS)
            .thenComparingInt(lease -> lease.number));
    int room =
        allocation.trialsPerGpu() > 1
            ? allocation.trialsPerGpu() * offer.gpus()
            : Math.max(1, offer.gpus() / allocation.gpusPerTrial());
    while (order.size() >= size) {
      double since =
          order.subList(0, size).stream()
              .mapToDouble(lease -> lease.freeSinceS)
              .max()
              .orElseThrow();
      places.add(new Place(order.subList(0, size), room, since));
      order.subList(0, size).clear();
    }
  }

  private boolean startOne() {
    Optional<Place> free =
        places.stream()
            .filter(place -> place.availableS() <= now)
            .min(Comparator.comparingDouble(Place::availableS).thenComparingInt(Place::lowest));
    if (waiting.isEmpty() || free.isEmpty()) {
      return false;
    }
    occupy(free.get(), free.get().availableS(), waiting.remove());
    return true;
  }

  /** Starts a trial in the slot of a place that is free since then. */
  private void occupy(Place place, double since, int trial) {
    place.freeSince.remove((Double) since);
    ranOn.put(trial, place.members);
    double startup = randomNumbers.startupS(group, profile, trial);
    double training = work * place.y() * randomNumbers.x(group, profile, trial);
    double unit = training / group.units();
    double rest = todo[trial] == group.units() ? training : todo[trial] * unit;
    double toS = now + (startup + rest);
    int own = randomNumbers.target(group, trial) - (group.units() - todo[trial]);
    double reportS = own == todo[trial] ? toS : now + (startup + own * unit);
    running.add(
        new Running(
            trial,
            place,
            now,
            startup,
            unit,
            todo[trial],
            toS,
            own > 0 ? reportS : Double.POSITIVE_INFINITY));
  }

  private static double perHour(ReferenceLease lease) {
    InstanceFaultRates rates = lease.offer.faults();
    return rates.failures().value() + rates.preemptions().value();
  }

  /** Advances to the next event; false if nothing is left to do. */
  private boolean step(Allocation allocation) {
    if (waiting.isEmpty() && running.isEmpty() && hanging.isEmpty()) {
      return false;
    }
    double trialPerS =
        (profile.faults().crashes().value() + profile.faults().hangs().value()) / 3600;
    List<ReferenceLease> alive = new ArrayList<>(held);
    alive.addAll(unused);
    alive.removeIf(lease -> lease.runningS > now);
    alive.sort(Comparator.comparingInt(lease -> lease.number));
    double next = nextS();
    double fault = Double.POSITIVE_INFINITY;
    ReferenceLease lost = null;
    Running struck = null;
    for (ReferenceLease lease : alive) {
      double at = now + lease.hazard / (perHour(lease) / 3600);
      if (perHour(lease) > 0 && at < fault) {
        fault = at;
        lost = lease;
      }
    }
    for (Running one : running) {
      double at = now + hazards[one.trial].left / trialPerS;
      if (trialPerS > 0 && at < fault) {
        fault = at;
        lost = null;
        struck = one;
      }
    }
    boolean isFault = fault < next;
    double passed = (isFault ? fault : next) - now;
    alive.forEach(lease -> lease.hazard -= passed * perHour(lease) / 3600);
    running.forEach(one -> hazards[one.trial].left -= passed * trialPerS);
    now = isFault ? fault : next;
    if (isFault && lost != null) {
      createPlaces(allocation);
      loseInstances(alive, lost);
    } else if (isFault) {
      strikeTrial(struck);
    } else {
      if (now >= untilS) {
        return false;
      }
      endTrials();
    }
    return true;
  }

  private double nextS() {
    double next = untilS;
    for (Running one : running) {
      next = Math.min(next, one.toS);
    }
    for (Hanging one : hanging) {
      next = Math.min(next, one.untilS);
    }
    for (ReferenceLease lease : unused) {
      next = lease.runningS > now ? Math.min(next, lease.runningS) : next;
      next = lease.failsAtReady() ? Math.min(next, lease.readyS) : next;
    }
    for (ReferenceLease lease : held) {
      next = lease.runningS > now ? Math.min(next, lease.runningS) : next;
      next = lease.failsAtReady() ? Math.min(next, lease.readyS) : next;
    }
    for (ReferenceLease lease : held) {
      next = !waiting.isEmpty() && lease.readyS > now ? Math.min(next, lease.readyS) : next;
    }
    return next;
  }

  private void loseInstances(List<ReferenceLease> alive, ReferenceLease struck) {
    if (!count.next()) {
      struck.hazard = Double.POSITIVE_INFINITY;
      return;
    }
    DoubleSupplier uniform = numbers.atLoss(struck.number, struck.faults);
    InstanceFaultRates rates = struck.offer.faults();
    List<ReferenceLease> lost = new ArrayList<>(List.of(struck));
    double nextHazard = Double.NaN;
    boolean counts = true;
    boolean preempted = false;
    if (uniform.getAsDouble() * perHour(struck) >= rates.failures().value()) {
      preempted = true;
      nextHazard = hazard(uniform.getAsDouble());
      double share = uniform.getAsDouble();
      for (ReferenceLease other : alive) {
        if (other != struck
            && other.offer.faults().preemptions().value() > 0
            && uniform.getAsDouble() < rates.preemptedTogether()) {
          lost.add(other);
        }
      }
      counts = share * lost.size() < 1;
    }
    if (counts) {
      for (ReferenceLease lease : lost) {
        lose(lease, preempted);
      }
    } else {
      struck.faults++;
      struck.hazard = nextHazard;
    }
  }

  /** The instance after a failed boot has the number and the group of the first. */
  private ReferenceLease afterFailedBoot(ReferenceLease lost) {
    if (!lost.failsAtReady() || lost.readyS > now) {
      return lost;
    }
    lost.releasedS = now;
    lost.releaser = lost.requester;
    double[] queueBoot = lost.afterFailedBoots.get(0);
    List<double[]> more = lost.afterFailedBoots.subList(1, lost.afterFailedBoots.size());
    ReferenceLease next =
        request(
            chain,
            lost.offer,
            lost.requester,
            lost.number,
            now,
            new double[] {queueBoot[0], queueBoot[1], lost.y},
            more);
    next.enter(lost.lastEndS());
    next.hazard = lost.hazard;
    next.faults = lost.faults;
    all.add(next);
    return afterFailedBoot(next);
  }

  private void lose(ReferenceLease lost, boolean preempted) {
    lost.releasedS = now;
    lost.releaser = lost.failsAtReady() ? lost.requester : group.name();
    if (unused.remove(lost)) {
      return;
    }
    List.copyOf(running).stream()
        .filter(one -> one.place.members.contains(lost))
        .forEach(one -> interrupt(one, checkpoints.kept(one.saved(now), preempted)));
    List.copyOf(hanging).stream()
        .filter(one -> one.running.place.members.contains(lost))
        .forEach(one -> interrupt(one.running, checkpoints.kept(one.saved, false)));
    int number = all.stream().mapToInt(lease -> lease.number).max().orElseThrow() + 1;
    ReferenceLease fresh =
        request(
            chain,
            offer,
            group.name(),
            number,
            now,
            numbers.replacement(chain, offer, profile, number),
            numbers.afterFailedBootsOfReplacement(chain, offer, number));
    fresh.enter(now);
    fresh.hazard = numbers.lossHazardOfReplacement(number);
    all.add(fresh);
    held.remove(lost);
    held.add(fresh);
    breakPlace(lost);
  }

  /** The other members of the place of an instance that is not used any more are free. */
  private void breakPlace(ReferenceLease left) {
    for (Place place : places) {
      if (place.members.contains(left)) {
        place.members.forEach(member -> member.freeSinceS = now);
      }
    }
    places.removeIf(place -> place.members.contains(left));
  }

  private void interrupt(Running attempt, int saved) {
    leave(attempt);
    todo[attempt.trial] = group.fromScratch() ? group.units() : attempt.todo - saved;
    waiting.add(attempt.trial);
  }

  private void leave(Running attempt) {
    if (attempt.reportS <= now && running.contains(attempt)) {
      firstReportS = Math.min(firstReportS, attempt.reportS);
    }
    running.remove(attempt);
    hanging.removeIf(one -> one.running.equals(attempt));
    attempt.place.members.forEach(lease -> lease.train(group.name(), attempt.fromS, now, part));
    attempt.place.freeSince.add(now);
  }

  private void strikeTrial(Running struck) {
    TrialHazard own = hazards[struck.trial];
    if (!count.next()) {
      own.left = Double.POSITIVE_INFINITY;
      return;
    }
    DoubleSupplier uniform = numbers.atTrialFault(group, struck.trial, own.faults++);
    double crashes =
        profile.faults().crashes().value()
            / (profile.faults().crashes().value() + profile.faults().hangs().value());
    int saved = struck.saved(now);
    boolean isCrash = uniform.getAsDouble() < crashes;
    own.left = hazard(uniform.getAsDouble());
    if (isCrash) {
      interrupt(struck, checkpoints.kept(saved, false));
      return;
    }
    double sign = saved > 0 ? struck.fromS + struck.startupS + saved * struck.unitS : struck.fromS;
    double needs = (struck.todo - saved) * struck.unitS + (saved > 0 ? 0 : struck.startupS);
    double until =
        Math.max(now, sign + silence.orElse(Math.max(20, 3 * needs)))
            + profile.checkpointS().mean();
    if (struck.reportS <= now) {
      firstReportS = Math.min(firstReportS, struck.reportS);
    }
    running.remove(struck);
    hanging.add(new Hanging(struck, saved, until));
  }

  private void endTrials() {
    for (int trial = 0; trial < group.trials(); trial++) {
      int number = trial;
      for (Running one : List.copyOf(running)) {
        if (one.trial == number && one.toS <= now) {
          leave(one);
          if (torn[number] > 0) {
            torn[number]--;
            todo[number] = group.fromScratch() ? group.units() : checkpoints.repeated();
            occupy(one.place, now, number);
          }
        }
      }
      for (Hanging one : List.copyOf(hanging)) {
        if (one.running.trial == number && one.untilS <= now) {
          interrupt(one.running, checkpoints.kept(one.saved, false));
        }
      }
    }
  }

  /** Releases idle instances that are not needed, and keeps {@code spare} idle ones. */
  private void release(int need, int spare) {
    List<ReferenceLease> idle = new ArrayList<>(held);
    running.forEach(one -> idle.removeAll(one.place.members));
    hanging.forEach(one -> idle.removeAll(one.running.place.members));
    idle.sort(
        Comparator.<ReferenceLease>comparingInt(lease -> lease.readyS > now ? 0 : 1)
            .thenComparingInt(lease -> -lease.number));
    for (int left = idle.size(); left > spare; left--) {
      ReferenceLease lease = idle.get(idle.size() - left);
      if (held.size() > need) {
        held.remove(lease);
        lease.releasedS = now;
        lease.releaser = lease.failsAtReady() ? lease.requester : group.name();
        breakPlace(lease);
      }
    }
  }
}
