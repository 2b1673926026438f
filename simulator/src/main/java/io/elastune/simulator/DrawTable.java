package io.elastune.simulator;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The draws of one quantity: {@code width} of them in each sample. Each block of samples has a
 * stream of its own and can be drawn without those before it. Blocks are kept in memory for the
 * plans to come as long as there is room, the others are drawn afresh by whoever needs them; the
 * numbers are the same. For several threads: two that come to a block at once both draw it, alike.
 */
final class DrawTable {
  private final Law law;
  private final Streams streams;
  private final int width;
  private final int samples;
  private final AtomicLong room;
  private final AtomicReferenceArray<double[]> kept;

  /**
   * @param room bytes that blocks may still take; shared with other tables
   */
  DrawTable(Law law, Streams streams, int width, int samples, AtomicLong room) {
    this.law = law;
    this.streams = streams;
    this.width = width;
    this.samples = samples;
    this.room = room;
    this.kept = new AtomicReferenceArray<>(law.varies() ? Blocks.of(samples) : 0);
  }

  /** Draws in each sample. */
  int width() {
    return width;
  }

  /** Whether samples differ. */
  boolean varies() {
    return law.varies();
  }

  /**
   * The draws of block number {@code block} of what varies, sample after sample; empty if there is
   * no room for them.
   */
  Optional<double[]> block(int block) {
    double[] known = kept.get(block);
    if (known != null) {
      return Optional.of(known);
    }
    int length = width * (Blocks.end(block, samples) - Blocks.start(block));
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

  /** The draws from a block's first on, one after the other. */
  Law.Source open(int block) {
    return law.open(streams.at(block));
  }
}
