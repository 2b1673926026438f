package io.elastune.simulator;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * A second, slow implementation of one sample of chains that share instances, with faults. It is
 * written from docs/searches.md ("Shared instances") and docs/model.md ("Faults") alone. It keeps
 * lists of objects and searches all of them at each event.
 */
final class ReferencePoolFaults extends ReferencePoolInstances {
  /** One trial in one group, from its first to its last attempt. */
  private static final class Job {
    final int chain;
    final TrialGroup group;
    final int trial;
    final int width;
    int todo;
    int torn;
    int order = -1;
    int attempt = -1;
    boolean isDone;
    // Its present attempt.
    ReferenceLease lease;
    int slot;
    double fromS;
    double startupS;
    double unitS;
    double toS;
    int savedAtHang = -1;
    // Until it crashes or hangs.
    double hazard;
    int faults;

    Job(int chain, TrialGroup group, int trial, int width) {
      this.chain = chain;
      this.group = group;
      this.trial = trial;
      this.width = width;
      this.todo = group.units();
    }

    boolean isRunning() {
      return lease != null;
    }

    boolean hangs() {
      return savedAtHang >= 0;
    }

    int saved(double now) {
      double whole = Math.floor((now - fromS - startupS) / unitS);
      return hangs() ? savedAtHang : (int) Math.min(todo - 1, Math.max(0, whole));
    }
  }

  private final Plan plan;
  private final List<Chain> chains;
  private final int planned;
  private final int[] present;
  private final Map<TrialGroup, List<Job>> jobs = new HashMap<>();
  private int started;
  private int attempts;
  private boolean hasEnded;

  ReferencePoolFaults(Problem problem, Plan plan, ReferenceSimulator.RandomNumbers random) {
    super(problem, problem.offers().get(0), new Chain("", problem.workload().groups()), random);
    this.plan = plan;
    this.chains = problem.workload().chains();
    this.present = new int[chains.size()];
    for (int chain = 0; chain < present.length; chain++) {
      for (TrialGroup group : chains.get(chain).groups()) {
        List<Job> own = new ArrayList<>();
        for (int trial = 0; trial < group.trials(); trial++) {
          own.add(new Job(chain, group, trial, plan.of(group).gpusPerTrial()));
        }
        jobs.put(group, own);
      }
      begin(chain);
    }
    int most = plan.of(problem.workload().groups().get(0)).instances();
    planned = plan.hold() ? most : Math.min(most, needed());
  }

  private void begin(int chain) {
    for (Job job : waitingOrRunning(chain)) {
      job.torn = numbers.torn(job.group, profile, job.trial);
      job.hazard = numbers.firstTrialHazard(job.group, job.trial);
    }
  }

  private List<TrialGroup> left(int chain) {
    List<TrialGroup> groups = chains.get(chain).groups();
    return groups.subList(present[chain], groups.size());
  }

  private List<Job> waitingOrRunning(int chain) {
    return left(chain).isEmpty()
        ? List.of()
        : jobs.get(left(chain).get(0)).stream().filter(job -> !job.isDone).toList();
  }

  private List<Job> running() {
    return jobs.values().stream()
        .flatMap(List::stream)
        .filter(Job::isRunning)
        .sorted(Comparator.comparingInt(job -> job.order))
        .toList();
  }

  /** Plays all chains and returns the completion time. */
  double run() {
    request(planned);
    while (Stream.iterate(0, c -> c + 1).limit(present.length).anyMatch(c -> !left(c).isEmpty())) {
      step();
      if (hasEnded) {
        break;
      }
      replaceFailedBoots();
      serve();
      release();
    }
    running().forEach(this::leave);
    List.copyOf(held).forEach(this::end);
    return now;
  }

  private void step() {
    List<Job> running = running();
    List<Job> healthy =
        running.stream()
            .filter(job -> !job.hangs())
            .sorted(Comparator.comparingInt(job -> job.attempt))
            .toList();
    ReferenceLease arriving = arriving();
    double changeS = nextFailureS();
    Job ending = null;
    for (Job job : running) {
      ending = ending == null || nanos(job.toS) < nanos(ending.toS) ? job : ending;
    }
    boolean isArrival =
        arriving != null && (ending == null || nanos(arriving.readyS) <= nanos(ending.toS));
    double eventS = isArrival ? arriving.readyS : ending == null ? NEVER : ending.toS;
    double reportS = NEVER;
    for (Job job : healthy) {
      int own = random.target(job.group, job.trial) - (job.group.units() - job.todo);
      double at = own == job.todo ? job.toS : job.fromS + (job.startupS + own * job.unitS);
      reportS = own > 0 ? Math.min(reportS, at) : reportS;
    }
    boolean reports = reportS < NEVER && nanos(reportS) <= nanos(Math.min(eventS, changeS));
    double nextS = reports ? reportS : Math.min(eventS, changeS);
    double endS = running(nextS, healthy);
    if (endS < nextS) {
      return;
    }
    hasEnded = reports;
    if (reports || (changeS < NEVER && changeS <= eventS)) {
      return;
    }
    if (isArrival) {
      ready.add(arriving);
    } else {
      finish(ending);
    }
  }

  /** Advances to {@code nextS}, or to a fault before, which occurs; returns the time. */
  private double running(double nextS, List<Job> healthy) {
    double faultS = nextS;
    ReferenceLease lost = null;
    Job struck = null;
    for (ReferenceLease lease : held) {
      if (strikesAtS(lease) < faultS) {
        faultS = strikesAtS(lease);
        lost = lease;
      }
    }
    for (Job job : healthy) {
      double at = now + job.hazard / trialPerS();
      if (trialPerS() > 0 && at < faultS) {
        faultS = at;
        lost = null;
        struck = job;
      }
    }
    runClocks(faultS);
    for (Job job : healthy) {
      job.hazard -= (faultS - now) * trialPerS();
    }
    now = faultS;
    if (lost != null) {
      loseInstances(lost);
    } else if (struck != null) {
      strike(struck);
    }
    return lost == null && struck == null ? nextS : Math.nextDown(Math.min(now, nextS));
  }

  @Override
  void interruptOn(ReferenceLease lost, boolean preempted) {
    boolean saves = preempted && offer.faults().noticeS() > 0;
    for (Job job : running()) {
      if (job.lease == lost) {
        interrupt(job, saves || !job.hangs() ? job.saved(now) : job.savedAtHang);
      }
    }
  }

  @Override
  int replaced() {
    return plan.hold() ? planned : Math.min(planned, needed());
  }

  private void strike(Job struck) {
    if (!count.next()) {
      struck.hazard = NEVER;
      return;
    }
    DoubleSupplier uniform = numbers.atTrialFault(struck.group, struck.trial, struck.faults++);
    double crashes = profile.faults().crashes().value();
    double share = crashes / (crashes + profile.faults().hangs().value());
    int saved = struck.saved(now);
    boolean isCrash = uniform.getAsDouble() < share;
    struck.hazard = ReferenceFaults.hazard(uniform.getAsDouble());
    if (isCrash) {
      interrupt(struck, saved);
      return;
    }
    double lastS = struck.fromS + (saved > 0 ? struck.startupS + saved * struck.unitS : 0);
    double needsS = (struck.todo - saved) * struck.unitS + (saved > 0 ? 0 : struck.startupS);
    struck.toS = Math.max(now, lastS + silenceS(needsS)) + profile.checkpointS().mean();
    struck.savedAtHang = saved;
  }

  private void interrupt(Job job, int saved) {
    leave(job);
    job.todo = job.group.fromScratch() ? job.group.units() : job.todo - saved;
  }

  private void leave(Job job) {
    train(job.lease, job.fromS, job.width);
    job.lease = null;
    job.savedAtHang = -1;
  }

  private void finish(Job job) {
    if (job.hangs()) {
      interrupt(job, job.savedAtHang);
      return;
    }
    ReferenceLease lease = job.lease;
    leave(job);
    if (job.torn > 0) {
      job.torn--;
      job.todo = job.group.fromScratch() ? job.group.units() : 1;
      start(job, lease, job.slot);
      return;
    }
    job.isDone = true;
    if (waitingOrRunning(job.chain).isEmpty()) {
      present[job.chain]++;
      begin(job.chain);
    }
  }

  private double taskS(TrialGroup group) {
    return profile.startupS().mean() + work(group);
  }

  private double work(TrialGroup group) {
    return group.units() * ReferenceSimulator.perUnit(problem, offer, plan.of(group));
  }

  private double pathS(int chain) {
    double seconds = 0;
    List<TrialGroup> left = left(chain);
    for (int i = left.size() - 1; i >= 0; i--) {
      seconds += taskS(left.get(i));
    }
    return seconds;
  }

  private void serve() {
    List<Integer> order = new ArrayList<>();
    for (int chain = 0; chain < present.length; chain++) {
      order.add(chain);
    }
    order.sort((a, b) -> Double.compare(pathS(b), pathS(a)));
    ReferenceLease reserved = null;
    for (int chain : order) {
      for (Job job : waitingOrRunning(chain)) {
        if (job.isRunning()) {
          continue;
        }
        if (!place(job, reserved)) {
          reserved = reserved == null ? freest() : reserved;
          break;
        }
      }
    }
  }

  private boolean place(Job job, ReferenceLease reserved) {
    for (ReferenceLease lease : held) {
      for (int slot = 0; slot < offer.gpus() / job.width; slot++) {
        boolean isFree = lease != reserved && ready.contains(lease);
        for (int gpu = slot * job.width; gpu < (slot + 1) * job.width; gpu++) {
          isFree &= free(lease).contains(gpu);
        }
        if (isFree) {
          job.order = started++;
          start(job, lease, slot);
          return true;
        }
      }
    }
    return false;
  }

  private void start(Job job, ReferenceLease lease, int slot) {
    double training = work(job.group) * lease.y * random.x(job.group, profile, job.trial);
    job.attempt = attempts++;
    job.lease = lease;
    job.slot = slot;
    job.fromS = now;
    job.startupS = random.startupS(job.group, profile, job.trial);
    job.unitS = training / job.group.units();
    double rest = job.todo == job.group.units() ? training : job.todo * job.unitS;
    job.toS = now + (job.startupS + rest);
  }

  private List<Integer> free(ReferenceLease lease) {
    List<Integer> free = new ArrayList<>();
    for (int gpu = 0; gpu < offer.gpus(); gpu++) {
      free.add(gpu);
    }
    for (Job job : running()) {
      for (int i = 0; i < job.width && job.lease == lease; i++) {
        free.remove((Integer) (job.slot * job.width + i));
      }
    }
    return free;
  }

  private ReferenceLease freest() {
    ReferenceLease best = null;
    for (ReferenceLease lease : held) {
      best = best == null || free(lease).size() > free(best).size() ? lease : best;
    }
    return best;
  }

  private int needed() {
    double demand = 0;
    for (int chain = 0; chain < present.length; chain++) {
      double most = 0;
      for (TrialGroup group : left(chain)) {
        int perInstance = offer.gpus() / plan.of(group).gpusPerTrial();
        double count = jobs.get(group).stream().filter(job -> !job.isDone).count();
        most = Math.max(most, count * offer.gpus() / perInstance);
      }
      demand += most;
    }
    return (int) Math.ceil(demand / offer.gpus() - 1e-9);
  }

  private void release() {
    for (int i = held.size() - 1; i >= 0 && !plan.hold(); i--) {
      if (free(held.get(i)).size() == offer.gpus() && held.size() > needed()) {
        end(held.get(i));
      }
    }
  }
}
