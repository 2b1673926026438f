package io.elastune.planner.evaluate;

import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.CandidateOrder;
import io.elastune.simulator.sample.JointSamples;
import java.util.Comparator;

/**
 * What is minimized: cost or completion time. As a comparator, it orders the better plan first; the
 * other figure breaks ties.
 */
enum Objective implements Comparator<Evaluation> {
  CHEAPER {
    @Override
    double[] values(JointSamples jointSamples) {
      return jointSamples.costUsd();
    }

    @Override
    public int compare(Evaluation a, Evaluation b) {
      return tied(a.costUsd(), b.costUsd(), a.completionS(), b.completionS());
    }
  },
  FASTER {
    @Override
    double[] values(JointSamples jointSamples) {
      return jointSamples.completionS();
    }

    @Override
    public int compare(Evaluation a, Evaluation b) {
      return tied(a.completionS(), b.completionS(), a.costUsd(), b.costUsd());
    }
  };

  /** Returns the minimized figure of each sample. */
  abstract double[] values(JointSamples jointSamples);

  private static int tied(double a, double b, double a2, double b2) {
    int order = CandidateOrder.compare(a, b);
    return order != 0 ? order : CandidateOrder.compare(a2, b2);
  }
}
