package io.elastune.planner.sampled;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Lower bounds of chains that run at the same time: the work of all trials on all GPUs, and the
 * groups of each chain one after another.
 */
public final class WorkBounds {
  private final List<List<TrialGroup>> chains;
  private final Map<OfferChoice, List<TrialShape>> shapes;
  private final boolean hasStartups;
  private final boolean startsLater;

  /**
   * @param shapes the sizes of trials to choose from
   * @param hasStartups whether each trial starts up in the first group
   * @param startsLater whether it also does in each later group
   */
  public WorkBounds(
      List<List<TrialGroup>> chains,
      List<TrialShape> shapes,
      boolean hasStartups,
      boolean startsLater) {
    this.chains = chains;
    this.shapes = shapes.stream().collect(Collectors.groupingBy(TrialShape::offerChoice));
    this.hasStartups = hasStartups;
    this.startsLater = startsLater;
  }

  /** Returns the least GPU-seconds of all trials on an offer. */
  public double gpuS(OfferChoice offer) {
    return chains.stream().flatMap(List::stream).mapToDouble(group -> gpuS(offer, group)).sum();
  }

  /** Returns the least seconds of training on so many instances of an offer. */
  public double trainingS(OfferChoice offer, int instances) {
    double gpus = (double) instances * offer.offer().gpus();
    ToDoubleFunction<TrialGroup> groupS =
        group -> Math.max(gpuS(offer, group) / gpus, least(offer, shape -> taskS(shape, group)));
    double longestS =
        chains.stream()
            .mapToDouble(chain -> chain.stream().mapToDouble(groupS).sum())
            .max()
            .orElse(0);
    return Math.max(gpuS(offer) / gpus, longestS);
  }

  private double gpuS(OfferChoice offer, TrialGroup group) {
    return group.trials()
        * least(offer, shape -> taskS(shape, group) * shape.gpusPerTrial() / shape.trialsPerGpu());
  }

  /** A trial of a later group may need no start-up, because its program has waited for it. */
  private double taskS(TrialShape shape, TrialGroup group) {
    Profile profile = shape.offerChoice().profile();
    double unitS = profile.secondsPerUnit(shape.gpusPerTrial(), shape.trialsPerGpu()).orElse(0);
    boolean starts = hasStartups && (startsLater || group.fromUnit() == 0);
    return (starts ? profile.startupS().mean() : 0) + group.units() * unitS;
  }

  private double least(OfferChoice offer, ToDoubleFunction<TrialShape> value) {
    return shapes.getOrDefault(offer, List.of()).stream().mapToDouble(value).min().orElse(0);
  }
}
