package io.elastune.profiler;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The design of a profiling run: one group of new trials per size, in sequence, on as many
 * instances as the largest size needs. Each group fills these instances, so that trials are
 * measured while similar trials run next to them, as in the actual run.
 *
 * @param workload a chain of groups that all start at unit 0; their trials are measured up to the
 *     units of the job, or until their times are known well enough
 * @param plan the size of each group; the instances are held throughout
 * @param sizes the GPU counts that may be measured
 * @param sharing the numbers of trials per GPU that may be measured
 * @param instances by count: the instances that its first measurement uses
 */
public record MeasurementDesign(
    Workload workload,
    Plan plan,
    List<Integer> sizes,
    List<Integer> sharing,
    Map<Integer, Integer> instances) {
  /** Maximum number of trials per group; more would add little information. */
  private static final int MOST_TRIALS = 16;

  /** Trials of the first count, so that their spread shows. */
  private static final int FIRST_TRIALS = 4;

  /** Instances of the first count: with one alone, nothing would show how much they differ. */
  private static final int FIRST_INSTANCES = 2;

  /** Measurements in addition to one per count. */
  private static final int REPETITIONS = 4;

  /** Measurements of further configurations where measuring costs nothing. */
  private static final int FREE_REPETITIONS = 8;

  /** Units that a trial is measured at least. */
  static final int FEWEST_UNITS = 5;

  /**
   * Returns the design for {@code job} on {@code offer}.
   *
   * @throws IllegalArgumentException if no size that the job allows is legal on the offer
   */
  public static MeasurementDesign of(Job job, Offer offer, int maxInstances) {
    List<Integer> sizes = sizes(job, offer, maxInstances);
    int most = job.search().resource().max();
    int instances = Math.max(1, sizes.get(sizes.size() - 1) / offer.gpus());
    List<TrialGroup> groups = new ArrayList<>();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (int size : sizes) {
      String name = Integer.toString(groups.size() + 1);
      int atOnce = Math.max(1, instances * offer.gpus() / size);
      groups.add(new TrialGroup(name, Math.min(MOST_TRIALS, atOnce), 0, most));
      allocations.put(name, new Allocation(offer.name(), instances, size, 1));
    }
    return new MeasurementDesign(
        new Workload(List.of(new Chain("", groups))).resumable(job.trial().resumable()),
        new Plan(true, allocations),
        sizes,
        List.of(),
        Map.of());
  }

  /**
   * Returns the design of a run that measures the smallest size first, on few instances, and
   * chooses each further size when the measurement before it ends.
   *
   * @throws IllegalArgumentException if no size that the job allows is legal on the offer
   */
  static MeasurementDesign chosen(Job job, Offer offer, int maxInstances) {
    List<Integer> sizes = sizes(job, offer, maxInstances);
    int most = job.search().resource().max();
    Map<Integer, Integer> instances = new LinkedHashMap<>();
    for (int size : sizes) {
      boolean first = instances.isEmpty();
      int slots = (first ? FIRST_TRIALS : 1) * size;
      int needed = Math.max(first ? FIRST_INSTANCES : 1, divideUp(slots, offer.gpus()));
      instances.put(size, Math.max(1, Math.min(maxInstances, needed)));
    }
    List<TrialGroup> groups = new ArrayList<>();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    int first = sizes.get(0);
    List<Integer> sharing = sharing(job, sizes);
    int free = SearchAccuracy.isFree(offer) ? FREE_REPETITIONS : 0;
    for (int i = 0; i < sizes.size() + sharing.size() + REPETITIONS + free; i++) {
      String name = Integer.toString(i + 1);
      groups.add(new TrialGroup(name, MOST_TRIALS, 0, most));
      allocations.put(
          name, new Allocation(offer.name(), instances.getOrDefault(first, 1), first, 1));
    }
    return new MeasurementDesign(
        new Workload(List.of(new Chain("", groups))).resumable(job.trial().resumable()),
        new Plan(true, allocations),
        sizes,
        sharing,
        instances);
  }

  /** Returns the numbers of trials that may share a GPU: the doublings that the job allows. */
  private static List<Integer> sharing(Job job, List<Integer> sizes) {
    IntRange allowed = job.profile().trialsPerGpu();
    List<Integer> counts = new ArrayList<>();
    for (int count = 2; count <= allowed.high(); count *= 2) {
      if (count >= allowed.low() && sizes.contains(1)) {
        counts.add(count);
      }
    }
    return counts;
  }

  private static int divideUp(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Returns the units up to which the job trains a trial. */
  int mostUnits() {
    return workload.groups().get(0).toUnit();
  }

  /** Returns the instances on which a count is measured if no others are held. */
  int instances(int size) {
    return instances.getOrDefault(size, 1);
  }

  /**
   * Returns the smallest and largest legal sizes and the doublings between them; other sizes are
   * interpolated.
   */
  static List<Integer> sizes(Job job, Offer offer, int maxInstances) {
    TreeSet<Integer> legal = legalSizes(job, offer, maxInstances);
    Preconditions.that(
        !legal.isEmpty(),
        "no size in trial.gpus " + job.trial().gpus() + " is legal on " + offer.name());
    TreeSet<Integer> chosen = new TreeSet<>(List.of(legal.first(), legal.last()));
    for (long size = legal.first(); size < legal.last(); size *= 2) {
      Integer nearest = legal.ceiling((int) size);
      if (nearest != null) {
        chosen.add(nearest);
      }
    }
    return List.copyOf(chosen);
  }

  /** Returns all sizes that the job allows and that are legal on so many instances of the offer. */
  static TreeSet<Integer> legalSizes(Job job, Offer offer, int maxInstances) {
    int low = job.trial().gpus().low();
    long most = (long) maxInstances * offer.gpus();
    int high = (int) Math.min(job.trial().gpus().high(), most);
    TreeSet<Integer> legal = new TreeSet<>();
    for (int size = low; size <= high; size++) {
      if (offer.isLegalSize(size)) {
        legal.add(size);
      }
    }
    return legal;
  }
}
