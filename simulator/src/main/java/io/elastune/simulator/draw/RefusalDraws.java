package io.elastune.simulator.draw;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.random.StreamGenerator;

/**
 * The seconds from a request until its instance runs, where requests may be refused (docs/model.md,
 * "Faults"): a refused request starts to queue after an additional exponential time. A separate
 * random stream decides which requests are refused, so the underlying draws are the same as without
 * refusals.
 */
record RefusalDraws(DrawDistribution queue, double probability, double meanS)
    implements DrawDistribution {
  private static final String SEPARATE = "refusal";

  /** Returns {@code queue} itself if no request is refused. */
  static DrawDistribution of(DrawDistribution queue, InstanceFaultRates rates) {
    double probability = rates.refusal().value();
    return probability > 0 ? new RefusalDraws(queue, probability, rates.refusalS()) : queue;
  }

  @Override
  public double mean() {
    return queue.mean() + probability * meanS;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    DrawSource drawSource = queue.open(streams);
    StreamGenerator random = streams.at(SEPARATE).open();
    return (into, from, count) -> {
      drawSource.fill(into, from, count);
      for (int i = from; i < from + count; i++) {
        if (random.nextFraction() < probability) {
          into[i] += meanS * HazardDraws.hazard(random);
        }
      }
    };
  }

  @Override
  public double first(RandomStreams streams) {
    StreamGenerator random = streams.at(SEPARATE).open();
    double queueS = queue.first(streams);
    return random.nextFraction() < probability
        ? queueS + meanS * HazardDraws.hazard(random)
        : queueS;
  }
}
