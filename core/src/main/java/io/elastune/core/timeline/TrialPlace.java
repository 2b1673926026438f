package io.elastune.core.timeline;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;

/**
 * Where the last attempt of a trial ran before a timeline.
 *
 * @param instances the numbers of its instances; empty if they are not known or not held any more
 * @param firstGpu the lowest GPU that it used
 * @param gpus the GPUs that it used
 * @param trialsPerGpu the trials that could share each of them
 * @param waitsS the seconds since its last task was completed, after which its program waits unless
 *     others have needed its GPUs; empty if its program does not wait
 */
public record TrialPlace(
    List<Integer> instances, int firstGpu, int gpus, int trialsPerGpu, OptionalDouble waitsS) {
  public TrialPlace {
    instances = List.copyOf(instances);
  }

  /** Returns the place with other numbers of instances: negative ones are not held any more. */
  public TrialPlace on(IntUnaryOperator numbers) {
    List<Integer> left =
        instances.stream().map(numbers::applyAsInt).filter(number -> number >= 0).toList();
    OptionalDouble waits = left.size() == instances.size() ? waitsS : OptionalDouble.empty();
    return new TrialPlace(left, firstGpu, gpus, trialsPerGpu, waits);
  }

  /** Returns the place after further seconds. */
  public TrialPlace after(double seconds) {
    OptionalDouble waits =
        waitsS.isPresent() ? OptionalDouble.of(waitsS.getAsDouble() + seconds) : waitsS;
    return new TrialPlace(instances, firstGpu, gpus, trialsPerGpu, waits);
  }
}
