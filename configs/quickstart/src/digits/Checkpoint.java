package digits;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a trial needs to go on after some unit: weights and velocity, nothing else, since the order
 * of the images is drawn from the seed and the unit.
 *
 * <p>Written to {@code N.tmp}, {@code manifest.json} last, then renamed to {@code N}: whoever sees
 * {@code N} sees all of it.
 */
final class Checkpoint {
  private static final String STATE = "model.bin";
  private static final String MANIFEST = "manifest.json";

  private Checkpoint() {}

  static void save(Path folder, int unit, Network network) throws IOException {
    Path finished = folder.resolve(Integer.toString(unit));
    if (isWhole(finished, unit)) {
      return; // an earlier attempt came this far, with the same bits
    }
    Path unfinished = folder.resolve(unit + ".tmp");
    delete(unfinished);
    delete(finished);
    Files.createDirectories(unfinished);
    byte[] state = bytes(network);
    write(unfinished.resolve(STATE), state);
    String manifest =
        "{\"unit\": %d, \"files\": [{\"name\": \"%s\", \"size\": %d, \"sha256\": \"%s\"}]}%n";
    write(
        unfinished.resolve(MANIFEST),
        String.format(Locale.ROOT, manifest, unit, STATE, state.length, sha256(state))
            .getBytes(StandardCharsets.UTF_8));
    sync(unfinished);
    Files.move(unfinished, finished, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  static void restore(Path folder, int unit, Network network) throws IOException {
    Path finished = folder.resolve(Integer.toString(unit));
    if (!isWhole(finished, unit)) {
      throw new IOException("no whole checkpoint " + finished + " to go on from");
    }
    ByteBuffer state = ByteBuffer.wrap(Files.readAllBytes(finished.resolve(STATE)));
    state.asFloatBuffer().get(network.weights).get(network.velocity);
  }

  /** Whether every file that the manifest names is there with the size and the sum it gives. */
  private static boolean isWhole(Path checkpoint, int unit) throws IOException {
    try {
      Map<String, Object> manifest = Json.object(Files.readString(checkpoint.resolve(MANIFEST)));
      boolean whole = manifest.get("unit").equals((long) unit);
      for (Object entry : (List<?>) manifest.get("files")) {
        Map<?, ?> file = (Map<?, ?>) entry;
        byte[] bytes = Files.readAllBytes(checkpoint.resolve((String) file.get("name")));
        whole &= file.get("size").equals((long) bytes.length);
        whole &= sha256(bytes).equals(file.get("sha256"));
      }
      return whole;
    } catch (NoSuchFileException | IllegalArgumentException torn) {
      return false;
    }
  }

  private static byte[] bytes(Network network) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Network.SIZE * Float.BYTES);
    bytes.asFloatBuffer().put(network.weights).put(network.velocity);
    return bytes.array();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    sync(file);
  }

  /** Makes a file's bytes, or a folder's names, outlive a power cut. */
  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }
}
