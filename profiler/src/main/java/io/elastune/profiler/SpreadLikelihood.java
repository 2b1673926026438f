package io.elastune.profiler;

import io.elastune.profiler.SizeFit.TrialFit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * The restricted likelihood of the coefficients of variation of units, trials and instances. An
 * observation is the unit time of a trial, relative to its size: 1 + instance + trial + unit/√m for
 * m units, where the instance term of a trial on several instances is their average. The intervals
 * within each trial add the likelihood of the spread of units, which does not depend on the rest.
 *
 * <p>The covariance matrix is diagonal plus a matrix of rank at most the number of instances, so
 * the identity of Woodbury needs only matrices of that size.
 */
final class SpreadLikelihood {
  // The components of the variance, from 0.
  static final int UNIT = 0;
  static final int TRIAL = 1;
  static final int INSTANCE = 2;

  /** Squared deviations below this are rounding errors. */
  private static final double NOTHING = 1e-18;

  /** Smaller variances of an observation would lose all digits of the matrix products. */
  private static final double LEAST_VARIANCE = 1e-10;

  private final int[] sizes;
  private final double[] units;
  private final Array2DRowRealMatrix known;
  private final Array2DRowRealMatrix instances;
  private final double squares;
  private final int unitFreedom;
  private final double residual;
  private final int sizeCount;
  private final int instanceRank;
  private final boolean trialsReplicated;

  SpreadLikelihood(List<SizeFit> fits) {
    List<TrialFit> trials = new ArrayList<>();
    List<Integer> sizeOf = new ArrayList<>();
    List<Double> relative = new ArrayList<>();
    for (SizeFit fit : fits) {
      if (!fit.trials().isEmpty()) {
        int size = sizeOf.isEmpty() ? 0 : sizeOf.get(sizeOf.size() - 1) + 1;
        for (TrialFit trial : fit.trials()) {
          trials.add(trial);
          sizeOf.add(size);
          relative.add(trial.unitS() / fit.unitS() - 1);
        }
      }
    }
    sizes = sizeOf.stream().mapToInt(Integer::intValue).toArray();
    sizeCount = sizes.length == 0 ? 0 : sizes[sizes.length - 1] + 1;
    units = trials.stream().mapToDouble(TrialFit::units).toArray();
    known = design(relative);
    instances = instances(trials);
    squares = trials.stream().mapToDouble(TrialFit::squares).sum();
    unitFreedom = trials.stream().mapToInt(TrialFit::freedom).sum();
    residual = relative.stream().mapToDouble(one -> one * one).sum();
    int both = rank(joined());
    instanceRank = sizes.length == 0 || both == sizes.length ? 0 : both - sizeCount;
    trialsReplicated = residualFreedom() > 0 && residual > NOTHING;
  }

  private Array2DRowRealMatrix design(List<Double> relative) {
    Array2DRowRealMatrix matrix = matrix(sizes.length, sizeCount + 1);
    for (int i = 0; i < sizes.length; i++) {
      matrix.setEntry(i, sizes[i], 1);
      matrix.setEntry(i, sizeCount, relative.get(i));
    }
    return matrix;
  }

  private static Array2DRowRealMatrix instances(List<TrialFit> trials) {
    List<String> leases =
        trials.stream().flatMap(trial -> trial.leases().stream()).distinct().sorted().toList();
    Array2DRowRealMatrix matrix = matrix(trials.size(), leases.size());
    for (int i = 0; i < trials.size(); i++) {
      List<String> own = trials.get(i).leases();
      for (String lease : own) {
        matrix.setEntry(i, leases.indexOf(lease), 1.0 / own.size());
      }
    }
    return matrix;
  }

  private static Array2DRowRealMatrix matrix(int rows, int columns) {
    return new Array2DRowRealMatrix(new double[Math.max(1, rows)][Math.max(1, columns)], false);
  }

  private RealMatrix joined() {
    RealMatrix matrix = matrix(sizes.length, sizeCount + instances.getColumnDimension());
    if (sizes.length > 0) {
      matrix.setSubMatrix(
          known.getSubMatrix(0, sizes.length - 1, 0, sizeCount - 1).getData(), 0, 0);
      matrix.setSubMatrix(instances.getData(), 0, sizeCount);
    }
    return matrix;
  }

  private static int rank(RealMatrix matrix) {
    RealMatrix product = matrix.transpose().multiply(matrix);
    return new SingularValueDecomposition(product).getRank();
  }

  private int residualFreedom() {
    return sizes.length - sizeCount - instanceRank;
  }

  /** Returns the components that the observations determine. */
  IntStream known() {
    return IntStream.rangeClosed(UNIT, INSTANCE).filter(component -> freedom(component) > 0);
  }

  /** Returns how many independent comparisons determine a component; 0 for none. */
  int freedom(int component) {
    if (component == UNIT) {
      return squares > NOTHING ? unitFreedom : 0;
    }
    if (!trialsReplicated) {
      return 0;
    }
    return component == TRIAL ? residualFreedom() : instanceRank;
  }

  /** Returns the variance of single trials around the mean of their size; 0 if it is unknown. */
  double scatter() {
    return scatterFreedom() > 0 ? residual / scatterFreedom() : 0;
  }

  /** Returns the degrees of freedom of {@link #scatter}. */
  int scatterFreedom() {
    return sizes.length - sizeCount;
  }

  /** Returns the coefficient of variation of all observations: a scale for the components. */
  double scale() {
    return Math.max(1e-6, Math.max(Math.sqrt(scatter()), unitScale()));
  }

  private double unitScale() {
    return Math.sqrt(squares / Math.max(1, unitFreedom));
  }

  /** Returns a first value of a component. */
  double guess(int component) {
    return component == UNIT ? unitScale() : scale() / 2;
  }

  /** Returns the logarithm of the restricted likelihood of these coefficients of variation. */
  double at(double[] cvs) {
    double log = 0;
    if (freedom(UNIT) > 0) {
      double variance = Math.max(cvs[UNIT] * cvs[UNIT], 1e-30);
      log -= (unitFreedom * Math.log(variance) + squares / variance) / 2;
    }
    return trialsReplicated ? log + new Products(cvs).logLikelihood() : log;
  }

  /**
   * Returns the mean of each size that has observations, relative to its first estimate, at these
   * coefficients of variation.
   */
  double[] means(double[] cvs) {
    return new Products(cvs).means().mapAdd(1).toArray();
  }

  /** Returns the variances of these means. */
  double[] variances(double[] cvs) {
    RealMatrix covariance = new Products(cvs).covariance();
    return IntStream.range(0, sizeCount).mapToDouble(i -> covariance.getEntry(i, i)).toArray();
  }

  /** The matrix products of the likelihood at one point. */
  private final class Products {
    private double logDeterminant;
    private final RealMatrix sums;

    Products(double[] cvs) {
      double unit = cvs[UNIT] * cvs[UNIT];
      double trial = cvs[TRIAL] * cvs[TRIAL];
      double instance = cvs[INSTANCE] * cvs[INSTANCE];
      double[][] ofSizes = known.getDataRef();
      double[][] ofInstances = instances.getDataRef();
      RealMatrix direct = matrix(sizeCount + 1, sizeCount + 1);
      RealMatrix cross = matrix(instances.getColumnDimension(), sizeCount + 1);
      RealMatrix squared = matrix(cross.getRowDimension(), cross.getRowDimension());
      for (int i = 0; i < sizes.length; i++) {
        double variance = Math.max(LEAST_VARIANCE, trial + unit / units[i]);
        logDeterminant += Math.log(variance);
        add(direct, ofSizes[i], ofSizes[i], variance);
        add(cross, ofInstances[i], ofSizes[i], variance);
        add(squared, ofInstances[i], ofInstances[i], variance);
      }
      if (instance == 0) {
        sums = direct;
      } else {
        RealMatrix inner =
            MatrixUtils.createRealIdentityMatrix(instances.getColumnDimension())
                .add(squared.scalarMultiply(instance));
        CholeskyDecomposition cholesky = cholesky(inner);
        logDeterminant += Math.log(cholesky.getDeterminant());
        sums =
            direct.subtract(
                cross
                    .transpose()
                    .multiply(cholesky.getSolver().solve(cross))
                    .scalarMultiply(instance));
      }
    }

    /** Adds the products of two rows, divided by the variance of their observation. */
    private static void add(RealMatrix sum, double[] left, double[] right, double variance) {
      for (int row = 0; row < left.length; row++) {
        if (left[row] == 0) {
          continue; // most trials ran on one instance, and each has one size
        }
        for (int column = 0; column < right.length; column++) {
          sum.addToEntry(row, column, left[row] * (right[column] / variance));
        }
      }
    }

    private CholeskyDecomposition ofSizes() {
      return cholesky(sums.getSubMatrix(0, sizeCount - 1, 0, sizeCount - 1));
    }

    RealVector means() {
      return ofSizes()
          .getSolver()
          .solve(sums.getColumnVector(sizeCount).getSubVector(0, sizeCount));
    }

    RealMatrix covariance() {
      return ofSizes().getSolver().getInverse();
    }

    double logLikelihood() {
      double squaredResidual =
          sums.getEntry(sizeCount, sizeCount)
              - sums.getColumnVector(sizeCount).getSubVector(0, sizeCount).dotProduct(means());
      double ofMeans = Math.log(ofSizes().getDeterminant());
      return -(logDeterminant + ofMeans + squaredResidual) / 2;
    }
  }

  private static CholeskyDecomposition cholesky(RealMatrix matrix) {
    return new CholeskyDecomposition(matrix, 1e-8, 0);
  }
}
