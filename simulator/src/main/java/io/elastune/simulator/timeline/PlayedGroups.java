package io.elastune.simulator.timeline;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.policy.Width;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Trial groups that Fluid or Hermes divides a cluster among, in one sample. */
final class PlayedGroups implements PlayedPolicy {
  private final CompiledPolicyPlan plan;
  private final SamplingLimit.Counter tasks;
  private final ContinuingDraws continuing;
  private final ChainsRun search;
  private final Times times = new Times();
  private final SampledSearch sampled;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final List<Optional<DrawReader>> expected;
  private final List<TornCheckpoints> torn;
  private final LossDraws lossDraws;

  // Of the sample.
  private final int[] x;
  private final int[] startup;
  private final int[] pace;
  private LossDraws.Sampled losses;

  /**
   * @param tasks counts the simulated attempts and reports
   */
  PlayedGroups(CompiledPolicyPlan plan, SamplingLimit.Counter tasks) {
    this.plan = plan;
    this.tasks = tasks;
    List<ChainsRun.Group> groups =
        plan.groups.stream()
            .map(group -> new ChainsRun.Group(group.trials(), 0, group.units()))
            .toList();
    continuing = new ContinuingDraws(plan.continuing);
    search = new ChainsRun(List.of(groups)).withGroupPhases();
    if (plan.keepAlive) {
      var unused = search.withPlaces(continuing);
    }
    sampled =
        new SampledSearch(
            plan.leases,
            plan.gpus,
            search,
            plan.policies.of(search, times, plan),
            times,
            clocks(plan),
            Task::group,
            OptionalDouble.empty());
    xs = readers(plan.xs);
    startups = readers(plan.startups);
    expected = plan.expected.stream().map(table -> table.map(DrawReader::new)).toList();
    torn =
        IntStream.range(0, plan.groups.size())
            .mapToObj(
                group ->
                    new TornCheckpoints(
                        plan.torn.get(group),
                        !plan.groups.get(group).fromScratch(),
                        CheckpointSchedule.ASSUMED,
                        IntUnaryOperator.identity()))
            .toList();
    lossDraws = plan.losses.get();
    losses = lossDraws.of(0);
    x = new int[xs.length];
    startup = new int[xs.length];
    pace = new int[xs.length];
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  private static List<TrialClocks> clocks(CompiledPolicyPlan plan) {
    return IntStream.range(0, plan.groups.size())
        .mapToObj(
            group ->
                TrialClocks.of(
                    plan.hasFaults,
                    plan.hazards,
                    plan.faults.get(group),
                    IntUnaryOperator.identity(),
                    plan.faultStreams.get(group)))
        .toList();
  }

  @Override
  public SampledSearch sampled() {
    return sampled;
  }

  @Override
  public boolean keepAlive() {
    return plan.keepAlive;
  }

  @Override
  public boolean hasFaults() {
    return plan.hasFaults;
  }

  @Override
  public void select(int sample) {
    for (int group = 0; group < x.length; group++) {
      int of = group;
      x[group] = xs[group].offset(sample);
      startup[group] = startups[group].offset(sample);
      pace[group] = expected.get(of).map(reader -> reader.offset(sample)).orElse(0);
    }
    torn.forEach(ofGroup -> ofGroup.read(sample));
    continuing.select(sample);
    losses = lossDraws.of(sample);
  }

  @Override
  public double[] endS(Timeline timeline, double endS) {
    double[] groupEndS = new double[plan.groups.size()];
    for (int group = 0; group < groupEndS.length; group++) {
      groupEndS[group] = search.endS(0, group);
    }
    return groupEndS;
  }

  @Override
  public double unitS(Task task) {
    return plan.seconds.perUnit(task.width());
  }

  @Override
  public int group(Task task) {
    return task.group();
  }

  /** How long the trials of the groups take in the sample, and what they report. */
  private final class Times implements TrialTimes {
    // Of the last attempt: the width of a trial rarely changes.
    private int gpus;
    private int trialsPerGpu;
    private double perUnitS;

    private double perUnitS(int ofGpus, int ofTrialsPerGpu) {
      if (ofGpus != gpus || ofTrialsPerGpu != trialsPerGpu) {
        perUnitS = plan.seconds.perUnit(new Width(ofGpus, ofTrialsPerGpu));
        gpus = ofGpus;
        trialsPerGpu = ofTrialsPerGpu;
      }
      return perUnitS;
    }

    private double factor(Task task) {
      return xs[task.group()].values()[x[task.group()] + task.trial()];
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      tasks.count(1);
      double startupS =
          starts ? startups[task.group()].values()[startup[task.group()] + task.trial()] : 0;
      task.trains(
          startupS,
          perUnitS(task.gpus(), task.trialsPerGpu()) * factor(task) * instance.slowness());
      task.hangsAtUnitsOf(plan.slowestUnitS);
      int[] targets = plan.targets.get(task.group());
      task.reportsTargetAt(targets.length == 0 ? 0 : targets[task.trial()]);
    }

    @Override
    public double pace(Task task, boolean hasReported) {
      if (hasReported) {
        return factor(task);
      }
      return expected
          .get(task.group())
          .map(reader -> reader.values()[pace[task.group()] + task.trial()])
          .orElse(1.0);
    }

    @Override
    public double loss(Task task, int unit) {
      tasks.count(1);
      return losses.loss(task.trial() + 1, unit);
    }

    @Override
    public double checkpointS() {
      return plan.checkpointS;
    }

    @Override
    public boolean resumes(Task task) {
      return !plan.groups.get(task.group()).fromScratch();
    }

    @Override
    public int intact(Task task, int repeated) {
      return torn.get(task.group()).intact(task.trial(), task.units(), repeated);
    }

    @Override
    public int stopped(Task task, int trained) {
      return torn.get(task.group()).stopped(task.trial(), trained);
    }
  }
}
