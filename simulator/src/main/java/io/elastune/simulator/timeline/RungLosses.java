package io.elastune.simulator.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.instance.Draws;
import java.util.ArrayList;
import java.util.List;

/**
 * Sampled losses of trials in each rung, with the standard normal distribution, for one sample at a
 * time (docs/searches.md, "Prediction"). Not thread-safe.
 */
public final class RungLosses {
  private final double common;
  private final double own;
  private final DrawReader quality;
  private final DrawReader[] noise;
  private final int width;

  // The draws of the current sample, and their offsets.
  private final double[][] noiseValues;
  private final int[] noiseAt;
  private double[] qualityValues;
  private int qualityAt;

  /**
   * The draws of the trials.
   *
   * @param quality what the losses of a trial have in common
   * @param noise by rung: what differs from it
   */
  public record Tables(DrawTable quality, List<DrawTable> noise) {
    public Tables {
      noise = List.copyOf(noise);
    }

    /** Returns the draws of a search. */
    public static Tables of(RungRule rule, Draws draws) {
      List<DrawTable> noise = new ArrayList<>();
      rule.rungs().forEach(rung -> noise.add(draws.ranks(rung.name(), rule.drawnTrials())));
      return new Tables(draws.ranks("trial", rule.drawnTrials()), noise);
    }
  }

  /**
   * @param correlation of the losses of a trial in two rungs, from 0 to 1
   */
  public RungLosses(double correlation, Tables tables) {
    common = Math.sqrt(correlation);
    own = Math.sqrt(1 - correlation);
    quality = new DrawReader(tables.quality());
    noise = tables.noise().stream().map(DrawReader::new).toArray(DrawReader[]::new);
    width = quality.width();
    noiseValues = new double[noise.length][];
    noiseAt = new int[noise.length];
    qualityValues = quality.values();
  }

  /** Selects a sample. */
  public void select(int sample) {
    for (int i = 0; i < noise.length; i++) {
      noiseAt[i] = noise[i].offset(sample);
      noiseValues[i] = noise[i].values();
    }
    qualityAt = quality.offset(sample);
    qualityValues = quality.values();
  }

  /** Returns the loss of a trial in a rung: less is better. Later trials repeat the drawn ones. */
  public double of(int trial, int rung) {
    int column = trial - 1 < width ? trial - 1 : (trial - 1) % width;
    return common * qualityValues[qualityAt + column]
        + own * noiseValues[rung][noiseAt[rung] + column];
  }
}
