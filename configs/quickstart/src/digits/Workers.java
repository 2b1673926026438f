package digits;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Connects the workers of one trial and sums their results.
 *
 * <p>Work is split into {@link #SHARDS} shards for any number of workers, and the shards are always
 * added in the same order: ((0 + 1) + (2 + 3)). Floating-point sums depend on their order. With a
 * fixed order, one worker and four workers give bit-identical results. A worker that owns a whole
 * branch of this tree sends its sum, not the parts.
 */
final class Workers implements AutoCloseable {
  static final int SHARDS = 4;
  private static final int TIMEOUT_MS = 20_000;

  private final int rank;
  private final int count;
  private final SocketChannel[] channels; // rank 0: one per other worker; other ranks: only [0]
  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

  /** Adds the values of one shard to {@code sum}, which starts as zeros. */
  interface Shard {
    void addTo(float[] sum, int shard);
  }

  private Workers(int rank, int count) {
    this.rank = rank;
    this.count = count;
    this.channels = new SocketChannel[count];
  }

  static Workers connect(Spec spec) throws IOException, InterruptedException {
    Workers workers = new Workers(spec.rank(), spec.worldSize());
    if (spec.worldSize() > 1) {
      if (spec.rank() == 0) {
        workers.listen(spec.master());
      } else {
        workers.call(spec.master());
      }
    }
    return workers;
  }

  private void listen(InetSocketAddress master) throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      ServerSocket socket = listener.bind(master).socket();
      socket.setSoTimeout(TIMEOUT_MS);
      for (int met = 1; met < count; met++) {
        SocketChannel channel = socket.accept().getChannel();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        float[] hello = new float[1];
        receive(channel, hello);
        int other = (int) hello[0];
        if (other < 1 || other >= count || channels[other] != null) {
          throw new IOException("a connection reports an invalid rank: " + other + " of " + count);
        }
        channels[other] = channel;
      }
    }
  }

  private void call(InetSocketAddress master) throws IOException, InterruptedException {
    long timeout = System.nanoTime() + TIMEOUT_MS * 1_000_000L;
    while (channels[0] == null) {
      try {
        channels[0] = SocketChannel.open(master);
      } catch (ConnectException notListening) {
        if (System.nanoTime() > timeout) {
          throw notListening;
        }
        Thread.sleep(20);
      }
    }
    channels[0].setOption(StandardSocketOptions.TCP_NODELAY, true);
    send(channels[0], new float[] {rank});
  }

  /**
   * Returns the sum over all shards, bit-identical at all workers and for any number of workers.
   */
  float[] sum(int length, Shard shard) throws IOException {
    float[] total = branch(length, shard, 0, SHARDS);
    if (rank > 0) {
      total = new float[length];
      receive(channels[0], total);
      return total;
    }
    for (int other = 1; other < count; other++) {
      send(channels[other], total);
    }
    return total;
  }

  /**
   * Returns the sum of the shards from {@code low} to {@code high}. It is complete only at rank 0;
   * other ranks send their part.
   */
  private float[] branch(int length, Shard shard, int low, int high) throws IOException {
    int owner = owner(low);
    if (owner != owner(high - 1)) {
      int middle = (low + high) / 2;
      return add(branch(length, shard, low, middle), branch(length, shard, middle, high));
    }
    float[] sum = new float[0];
    if (owner == rank) {
      sum = own(length, shard, low, high);
      if (rank > 0) {
        send(channels[0], sum);
      }
    } else if (rank == 0) {
      sum = new float[length];
      receive(channels[owner], sum);
    }
    return sum;
  }

  private float[] own(int length, Shard shard, int low, int high) {
    if (high - low > 1) {
      int middle = (low + high) / 2;
      return add(own(length, shard, low, middle), own(length, shard, middle, high));
    }
    float[] sum = new float[length];
    shard.addTo(sum, low);
    return sum;
  }

  private static float[] add(float[] sum, float[] more) {
    for (int i = 0; i < Math.min(sum.length, more.length); i++) {
      sum[i] += more[i];
    }
    return sum;
  }

  private int owner(int shard) {
    return shard * count / SHARDS;
  }

  private void send(SocketChannel channel, float[] values) throws IOException {
    ByteBuffer bytes = bytes(values.length);
    bytes.asFloatBuffer().put(values);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private void receive(SocketChannel channel, float[] values) throws IOException {
    ByteBuffer bytes = bytes(values.length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("the connection to another worker of this trial is closed");
      }
    }
    bytes.flip().asFloatBuffer().get(values);
  }

  private ByteBuffer bytes(int floats) {
    if (buffer.capacity() < floats * Float.BYTES) {
      buffer = ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffer.clear().limit(floats * Float.BYTES);
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
