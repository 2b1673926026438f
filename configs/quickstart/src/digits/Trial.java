package digits;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * One worker of one trial. It trains the units from + 1 to {@code to}; a unit is one pass over the
 * training images. Usage: {@code Trial FILE}, with the file that {@link Images} has written.
 */
final class Trial {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int RETRY = 75;

  private final Spec spec;
  private final Workers workers;
  private final Images training;
  private final Images test;
  private final Network network;
  private final int batch;

  private Trial(Spec spec, Workers workers, Images training, Images test) {
    this.spec = spec;
    this.workers = workers;
    this.training = training;
    this.test = test;
    this.network = new Network(spec.seed());
    this.batch = (int) spec.number("batch");
  }

  public static void main(String[] args) {
    StopRequest stop = StopRequest.onSigterm();
    int exitCode = FAILED;
    try {
      exitCode = run(Path.of(args[0]), stop);
    } catch (Throwable e) { // any error, because the stop request must not wait for a failed trial
      System.err.println("this trial failed: " + e);
    }
    stop.exit(exitCode);
  }

  private static int run(Path images, StopRequest stop) throws IOException, InterruptedException {
    Spec spec = Spec.read();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(images));
        Workers workers = Workers.connect(spec)) {
      Trial trial = new Trial(spec, workers, Images.read(in), Images.read(in));
      return trial.run(stop) ? DONE : RETRY;
    }
  }

  /**
   * Returns whether all units are trained. If not, a stop was requested and a checkpoint is saved.
   */
  private boolean run(StopRequest stop) throws IOException {
    if (spec.from() > 0) {
      Checkpoint.restore(spec.checkpointDir(), spec.from(), network);
    }
    for (int unit = spec.from() + 1; unit <= spec.to(); unit++) {
      double loss = train(unit);
      boolean stopping = isAnyStopping(stop);
      if (spec.rank() == 0) {
        if (unit == spec.to() || stopping) {
          Checkpoint.save(spec.checkpointDir(), unit, network);
        }
        report(unit, accuracy(), loss);
      }
      if (stopping) {
        return unit == spec.to();
      }
    }
    return true;
  }

  /** Trains one unit, in its own random order of the images, and returns the mean loss. */
  private double train(int unit) throws IOException {
    float rate = (float) spec.number("lr");
    float momentum = (float) spec.number("momentum");
    float decay = (float) spec.number("weight_decay");
    int[] order = shuffled(training.count(), new Random(spec.seed() * 1_000_003 + unit));
    double loss = 0;
    int steps = training.count() / batch;
    for (int step = 0; step < steps; step++) {
      int first = step * batch;
      float[] sum =
          workers.sum(
              Network.SIZE + 1,
              (gradient, shard) -> {
                for (int i = begin(shard, batch); i < begin(shard + 1, batch); i++) {
                  gradient[Network.SIZE] += network.learn(training, order[first + i], gradient);
                }
              });
      network.step(sum, batch, rate, momentum, decay);
      loss += sum[Network.SIZE];
    }
    return loss / (steps * batch);
  }

  /**
   * Returns whether any worker has received a stop request; the result is the same at all workers.
   */
  private boolean isAnyStopping(StopRequest stop) throws IOException {
    return workers.sum(1, (asked, shard) -> asked[0] = stop.isRequested() ? 1 : 0)[0] > 0;
  }

  /** Returns the fraction of test images that are recognized. Only rank 0 runs the test. */
  private double accuracy() {
    int right = 0;
    for (int i = 0; i < test.count(); i++) {
      right += network.isRight(test, i) ? 1 : 0;
    }
    return right / (double) test.count();
  }

  private static int begin(int shard, int images) {
    return shard * images / Workers.SHARDS;
  }

  private static int[] shuffled(int count, Random random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  private static void report(int unit, double accuracy, double loss) {
    // Concatenated, because formatting would depend on the user's locale.
    String metrics = "{\"test_acc\": " + accuracy + ", \"train_loss\": " + loss + "}";
    System.out.println("ELASTUNE {\"unit\": " + unit + ", \"metrics\": " + metrics + "}");
    System.out.flush();
  }
}
