package io.elastune.simulator;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;

/**
 * A second, independent simulator of one sample, written from docs/model.md alone. It does not use
 * {@code core.allocation} or {@code core.billing}. It uses plain objects and advances time from
 * event to event.
 */
public final class ReferenceSimulator {
  /** The random numbers of one sample. */
  public interface RandomNumbers {
    double x(TrialGroup group, Profile profile, int trial);

    double startupS(TrialGroup group, Profile profile, int trial);

    double queueS(Chain chain, Offer offer, int instance);

    double bootS(Chain chain, Offer offer, int instance);

    double y(Chain chain, Profile profile, int instance);

    /** Returns the key of a trial: those with the smallest continue in the next group. */
    double key(TrialGroup group, int trial);

    ReferenceFaults.FaultNumbers faults(Chain chain);

    /** Returns after how many units a trial reports the metric that ends the search; 0 if never. */
    default int target(TrialGroup group, int trial) {
      return 0;
    }
  }

  private final Problem problem;
  private final Plan plan;
  private final RandomNumbers randomNumbers;
  final Map<String, Double> startS = new LinkedHashMap<>();
  final Map<String, Double> endS = new LinkedHashMap<>();
  final List<ReferenceLease> leases = new ArrayList<>();

  /** When a trial first reports the metric that ends the search, in samples with faults. */
  private double firstReportS = Double.POSITIVE_INFINITY;

  private double untilS = Double.POSITIVE_INFINITY;

  ReferenceSimulator(Problem problem, Plan plan, RandomNumbers randomNumbers) {
    this.problem = problem;
    this.plan = plan;
    this.randomNumbers = randomNumbers;
    problem.workload().chains().forEach(problem.hasFaults() ? this::runWithFaults : this::run);
    if (firstReportS < Double.POSITIVE_INFINITY) {
      untilS = firstReportS;
      leases.clear();
      problem.workload().chains().forEach(this::runWithFaults);
    }
  }

  double completionS() {
    return endS.values().stream().mapToDouble(end -> end).max().orElseThrow();
  }

  double costUsd() {
    return leases.stream().mapToDouble(ReferenceLease::totalUsd).sum()
        + completionS() * problem.running().controllerUsdPerHour() / 3600
        + completionS() * problem.running().storageUsdPerHour() / 3600;
  }

  private void run(Chain chain) {
    List<ReferenceLease> all = new ArrayList<>();
    List<ReferenceLease> held = new ArrayList<>();
    List<List<ReferenceLease>> homes = List.of();
    double now = 0;
    for (int i = 0; i < chain.groups().size(); i++) {
      TrialGroup group = chain.groups().get(i);
      Allocation allocation = plan.of(group);
      Offer offer = problem.offer(allocation.offer()).orElseThrow();
      while (held.size() < allocation.instances()) {
        int number = all.size();
        double running = now + randomNumbers.queueS(chain, offer, number);
        double ready = running + randomNumbers.bootS(chain, offer, number);
        double y = randomNumbers.y(chain, problem.profiles().get(offer.gpu()), number);
        ReferenceLease lease =
            new ReferenceLease(number, chain, offer, group.name(), running, ready, y);
        held.add(lease);
        all.add(lease);
      }
      startS.put(group.name(), now);
      Map<Integer, List<ReferenceLease>> ranOn = new TreeMap<>();
      double lastStart = train(group, allocation, offer, held, now, homes, ranOn);
      double end = held.stream().mapToDouble(ReferenceLease::lastEndS).max().orElseThrow();
      endS.put(group.name(), end);
      boolean last = i + 1 == chain.groups().size();
      int need = 0;
      if (!last && plan.of(chain.groups().get(i + 1)).offer().equals(allocation.offer())) {
        need = plan.of(chain.groups().get(i + 1)).instances();
      }
      release(held, need, allocation.spare(), lastStart, group.name());
      homes = homes(chain, i, ranOn);
      now = end;
    }
    if (plan.hold()) {
      for (ReferenceLease lease : all) {
        lease.releasedS = now;
        lease.releaser = chain.groups().get(chain.groups().size() - 1).name();
      }
    }
    leases.addAll(all);
  }

  private void runWithFaults(Chain chain) {
    ReferenceFaults.FaultNumbers faults = randomNumbers.faults(chain);
    ReferenceFaults.Count count = new ReferenceFaults.Count();
    List<ReferenceLease> all = new ArrayList<>();
    List<ReferenceLease> held = new ArrayList<>();
    List<ReferenceLease> unused = new ArrayList<>();
    List<List<ReferenceLease>> homes = List.of();
    double now = 0;
    int planned = 0;
    for (int i = 0; i < chain.groups().size(); i++) {
      TrialGroup group = chain.groups().get(i);
      if (now >= untilS) {
        startS.put(group.name(), now);
        endS.put(group.name(), now);
        continue;
      }
      Allocation allocation = plan.of(group);
      Offer offer = problem.offer(allocation.offer()).orElseThrow();
      Profile profile = problem.profiles().get(offer.gpu());
      while (held.size() < allocation.instances()) {
        double[] drawn = {
          randomNumbers.queueS(chain, offer, planned),
          randomNumbers.bootS(chain, offer, planned),
          randomNumbers.y(chain, profile, planned)
        };
        List<double[]> more = faults.afterFailedBoots(chain, offer, planned);
        double hazard = faults.lossHazard(planned);
        planned++;
        int number = all.stream().mapToInt(lease -> lease.number).max().orElse(-1) + 1;
        ReferenceLease lease =
            ReferenceFaults.request(chain, offer, group.name(), number, now, drawn, more);
        lease.hazard = hazard;
        held.add(lease);
        all.add(lease);
      }
      startS.put(group.name(), now);
      boolean last = i + 1 == chain.groups().size();
      int need = 0;
      if (!last && plan.of(chain.groups().get(i + 1)).offer().equals(allocation.offer())) {
        need = plan.of(chain.groups().get(i + 1)).instances();
      }
      ReferenceFaults run =
          new ReferenceFaults(
              problem,
              randomNumbers,
              faults,
              count,
              chain,
              group,
              allocation,
              work(group, allocation, offer(allocation)),
              all,
              held,
              unused,
              untilS);
      now = run.run(allocation, now, need, plan.hold(), homes);
      homes = homes(chain, i, run.ranOn());
      endS.put(group.name(), now);
      firstReportS = Math.min(firstReportS, run.firstReportS());
      if (now >= untilS) {
        for (ReferenceLease lease : all) {
          if (held.contains(lease) || unused.contains(lease)) {
            lease.releasedS = now;
            lease.releaser = lease.failsAtReady() ? lease.requester : group.name();
          }
        }
        continue;
      }
      if (plan.hold()) {
        List<ReferenceLease> before = new ArrayList<>(held);
        keep(held, need, run.lastStart());
        before.removeAll(held);
        unused.addAll(before);
      }
      if (plan.hold() && last) {
        for (ReferenceLease lease : unused) {
          lease.releasedS = now;
          lease.releaser = lease.failsAtReady() ? lease.requester : group.name();
        }
      }
    }
    leases.addAll(all);
  }

  /** Keeps {@code need} instances: the others are no longer used, although they are held. */
  private static void keep(List<ReferenceLease> held, int need, double lastStart) {
    List<ReferenceLease> order = new ArrayList<>(held);
    order.sort(
        Comparator.<ReferenceLease>comparingDouble(lease -> Math.max(lease.lastEndS(), lastStart))
            .thenComparingInt(lease -> lease.readyS > Math.max(lease.lastEndS(), lastStart) ? 0 : 1)
            .thenComparingInt(lease -> -lease.number));
    for (int i = 0; held.size() > need; i++) {
      held.remove(order.get(i));
    }
  }

  private List<List<ReferenceLease>> homes(
      Chain chain, int index, Map<Integer, List<ReferenceLease>> ranOn) {
    if (index + 1 == chain.groups().size()) {
      return List.of();
    }
    TrialGroup group = chain.groups().get(index);
    Offer offer = offer(plan.of(group));
    return ReferenceHomes.after(
        group,
        chain.groups().get(index + 1).trials(),
        offer,
        problem.profiles().get(offer.gpu()),
        trial -> randomNumbers.key(group, trial),
        ranOn);
  }

  private static double perUnit(Profile profile, Allocation allocation) {
    return allocation.trialsPerGpu() > 1
        ? profile.secondsBySharing().get(allocation.trialsPerGpu())
        : interpolated(profile, allocation.gpusPerTrial());
  }

  private static final class Slot {
    final List<ReferenceLease> members;
    final int instance;
    final int number;
    double freeS;

    Slot(List<ReferenceLease> members, int number, double startS) {
      this.members = members;
      this.number = number;
      this.instance = members.stream().mapToInt(member -> member.number).min().orElseThrow();
      this.freeS = members.stream().mapToDouble(member -> member.readyS).max().orElseThrow();
      this.freeS = Math.max(freeS, startS);
    }
  }

  private static List<Slot> slots(
      Allocation allocation, Offer offer, List<ReferenceLease> held, double start) {
    List<Slot> slots = new ArrayList<>();
    int gpus = allocation.gpusPerTrial();
    if (gpus > offer.gpus()) {
      List<ReferenceLease> inOrder = new ArrayList<>(held);
      inOrder.sort(
          Comparator.<ReferenceLease>comparingDouble(lease -> lease.readyS)
              .thenComparingInt(lease -> lease.number));
      int size = gpus / offer.gpus();
      while (inOrder.size() >= size) {
        slots.add(new Slot(List.copyOf(inOrder.subList(0, size)), 0, start));
        inOrder.subList(0, size).clear();
      }
    } else {
      int each =
          allocation.trialsPerGpu() > 1
              ? allocation.trialsPerGpu() * offer.gpus()
              : offer.gpus() / gpus;
      for (ReferenceLease lease : held) {
        for (int number = 0; number < each; number++) {
          slots.add(new Slot(List.of(lease), number, start));
        }
      }
    }
    slots.sort(
        Comparator.<Slot>comparingInt(slot -> slot.instance).thenComparingInt(slot -> slot.number));
    return slots;
  }

  /** Trains the group and returns the start of its last-started trial. */
  private double train(
      TrialGroup group,
      Allocation allocation,
      Offer offer,
      List<ReferenceLease> held,
      double start,
      List<List<ReferenceLease>> homes,
      Map<Integer, List<ReferenceLease>> ranOn) {
    held.forEach(lease -> lease.enter(start));
    ToDoubleBiFunction<Integer, Slot> duration = durations(group, allocation, offer);
    double busyPart =
        Math.min(
            1, allocation.gpusPerTrial() / (double) (offer.gpus() * allocation.trialsPerGpu()));
    List<Slot> slots = slots(allocation, offer, held, start);
    Deque<Integer> waiting = new ArrayDeque<>();
    for (int trial = 0; trial < group.trials(); trial++) {
      waiting.add(trial);
    }
    List<Slot> usable = placed(slots, group, start, homes);
    double now = start;
    while (true) {
      for (Slot slot : usable) {
        if (slot.freeS <= now && !waiting.isEmpty()) {
          int trial = waiting.remove();
          ranOn.put(trial, slot.members);
          slot.freeS = now + duration.applyAsDouble(trial, slot);
          for (ReferenceLease member : slot.members) {
            member.train(group.name(), now, slot.freeS, busyPart);
          }
        }
      }
      if (waiting.isEmpty()) {
        return now;
      }
      now = usable.stream().mapToDouble(slot -> slot.freeS).min().orElseThrow();
    }
  }

  /** Returns the slots that the trials use: one for each, if they start where they ran. */
  private static List<Slot> placed(
      List<Slot> slots, TrialGroup group, double start, List<List<ReferenceLease>> homes) {
    List<List<Slot>> free = new ArrayList<>();
    for (Slot slot : slots) {
      boolean isNew = slot.members.stream().anyMatch(one -> one.requester.equals(group.name()));
      if (slot.freeS <= start && !isNew) {
        if (slot.number == 0) {
          free.add(new ArrayList<>());
        }
        free.get(free.size() - 1).add(slot);
      }
    }
    if (free.isEmpty()) {
      return slots;
    }
    List<Integer> places =
        ReferenceHomes.choose(
            free.stream().map(place -> place.get(0).members).toList(),
            free.get(0).size(),
            homes,
            group.trials());
    List<Slot> usable = new ArrayList<>();
    places.forEach(place -> usable.add(free.get(place).remove(0)));
    return usable.isEmpty() ? slots : usable;
  }

  private ToDoubleBiFunction<Integer, Slot> durations(
      TrialGroup group, Allocation allocation, Offer offer) {
    Profile profile = problem.profiles().get(offer.gpu());
    double work = work(group, allocation, offer);
    // Factors in the order of the fast simulator: equal end times must be bit-identical.
    return (trial, slot) -> {
      double pace = slot.members.stream().mapToDouble(member -> member.y).max().orElseThrow();
      return randomNumbers.startupS(group, profile, trial)
          + work * pace * randomNumbers.x(group, profile, trial);
    };
  }

  private Offer offer(Allocation allocation) {
    return problem.offer(allocation.offer()).orElseThrow();
  }

  private double work(TrialGroup group, Allocation allocation, Offer offer) {
    Profile profile = problem.profiles().get(offer.gpu());
    double unitS = perUnit(profile, allocation);
    return group.units() * unitS
        + new ReferenceCheckpoints(group, offer, profile, allocation, unitS).overheadS();
  }

  static double perUnit(Problem problem, Offer offer, Allocation allocation) {
    return perUnit(problem.profiles().get(offer.gpu()), allocation);
  }

  private static double interpolated(Profile profile, int gpus) {
    int low = profile.secondsByGpus().floorKey(gpus);
    int high = profile.secondsByGpus().ceilingKey(gpus);
    if (low == high) {
      return profile.secondsByGpus().get(low);
    }
    // Rounded as in the profile: otherwise a rounding error changes the order of times that are
    // equal in exact arithmetic.
    double share = (double) (gpus - low) / (high - low);
    return 1
        / ((1 - share) / profile.secondsByGpus().get(low)
            + share / profile.secondsByGpus().get(high));
  }

  /**
   * Releases surplus instances at the times at which instances become idle: of those that are idle
   * then, {@code spare} are kept until the end of the group.
   */
  private void release(
      List<ReferenceLease> held, int need, int spare, double lastStart, String group) {
    TreeSet<Double> moments = new TreeSet<>();
    held.forEach(lease -> moments.add(Math.max(lease.lastEndS(), lastStart)));
    moments.add(endS.get(group));
    for (double moment : moments) {
      List<ReferenceLease> idle = new ArrayList<>(held);
      idle.removeIf(lease -> Math.max(lease.lastEndS(), lastStart) > moment);
      idle.sort(
          Comparator.<ReferenceLease>comparingInt(lease -> lease.readyS > moment ? 0 : 1)
              .thenComparingInt(lease -> -lease.number));
      int staying = moment < endS.get(group) ? spare : 0;
      int leaving = Math.min(held.size() - need, idle.size() - staying);
      for (ReferenceLease lease : idle.subList(0, Math.max(0, leaving))) {
        held.remove(lease);
        lease.releasedS = moment;
        lease.releaser = group;
      }
    }
  }
}
