package io.elastune.planner;

import io.elastune.planner.Judge.Verdict;
import io.elastune.simulator.Samples;
import java.util.Comparator;

/**
 * What is minimized: cost or completion time. As a comparator, it orders the better plan first; the
 * other figure breaks ties.
 */
enum Aim implements Comparator<Verdict> {
  CHEAPER {
    @Override
    double[] of(Samples samples) {
      return samples.costUsd();
    }

    @Override
    public int compare(Verdict a, Verdict b) {
      return tied(a.costUsd(), b.costUsd(), a.completionS(), b.completionS());
    }
  },
  FASTER {
    @Override
    double[] of(Samples samples) {
      return samples.completionS();
    }

    @Override
    public int compare(Verdict a, Verdict b) {
      return tied(a.completionS(), b.completionS(), a.costUsd(), b.costUsd());
    }
  };

  /** Returns the minimized figure of each sample. */
  abstract double[] of(Samples samples);

  private static int tied(double a, double b, double a2, double b2) {
    int order = Chooser.compare(a, b);
    return order != 0 ? order : Chooser.compare(a2, b2);
  }
}
