package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The random draws of one quantity, {@code width} per sample. Each block of samples has its own
 * stream and can be drawn independently. Blocks are cached for later plans as long as memory
 * permits; other blocks are drawn again with the same numbers. Thread-safe: two threads that need
 * the same block at once both draw it, with equal results.
 */
public final class DrawTable {
  private final DrawDistribution drawDistribution;
  private final RandomStreams streams;
  private final int width;
  private final int samples;
  private final boolean varies;
  private final AtomicLong room;
  private final AtomicReferenceArray<double[]> kept;

  /**
   * @param room remaining cache size in bytes; shared with other tables
   */
  public DrawTable(
      DrawDistribution drawDistribution,
      RandomStreams streams,
      int width,
      int samples,
      AtomicLong room) {
    this.drawDistribution = drawDistribution;
    this.streams = streams;
    this.width = width;
    this.samples = samples;
    this.varies = drawDistribution.varies();
    this.room = room;
    this.kept = new AtomicReferenceArray<>(varies ? SampleBlocks.of(samples) : 0);
  }

  /** Returns the number of draws per sample. */
  public int width() {
    return width;
  }

  /** Returns whether samples differ. */
  public boolean varies() {
    return varies;
  }

  /** Returns the draws of block {@code block}, sample by sample; empty if the cache is full. */
  public Optional<double[]> block(int block) {
    double[] known = kept.get(block);
    if (known != null) {
      return Optional.of(known);
    }
    int length = width * (SampleBlocks.end(block, samples) - SampleBlocks.start(block));
    if (!takeRoom((long) length * Double.BYTES)) {
      return Optional.empty();
    }
    double[] drawn = new double[length];
    open(block).fill(drawn, 0, length);
    kept.set(block, drawn);
    return Optional.of(drawn);
  }

  private boolean takeRoom(long bytes) {
    boolean enough = room.addAndGet(-bytes) >= 0;
    if (!enough) {
      room.addAndGet(bytes);
    }
    return enough;
  }

  /** Returns a source of the draws of a block, in order. */
  public DrawDistribution.DrawSource open(int block) {
    return drawDistribution.open(streams.at(block), block);
  }

  /** Returns a draw from the same distribution in the substream {@code name} of other streams. */
  public double one(RandomStreams other, String name) {
    // What does not vary needs no stream, whose derivation takes longer than a draw.
    return drawDistribution.first(varies ? other.at(name) : other);
  }
}
