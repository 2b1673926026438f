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
 * The saved state of a trial after a unit: weights and velocity. The order of the images is derived
 * from the seed and the unit.
 *
 * <p>It is written to {@code N.tmp}, with {@code manifest.json} last, and then renamed to {@code
 * N}, so {@code N} is always complete.
 */
final class Checkpoint {
  private static final String STATE = "model.bin";
  private static final String MANIFEST = "manifest.json";

  private Checkpoint() {}

  static void save(Path folder, int unit, Network network) throws IOException {
    Path finished = folder.resolve(Integer.toString(unit));
    if (isComplete(finished, unit)) {
      return; // an earlier attempt wrote the same bytes
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
    if (!isComplete(finished, unit)) {
      throw new IOException("no complete checkpoint " + finished + " to resume from");
    }
    ByteBuffer state = ByteBuffer.wrap(Files.readAllBytes(finished.resolve(STATE)));
    state.asFloatBuffer().get(network.weights).get(network.velocity);
  }

  /** Returns whether all files in the manifest exist with its sizes and checksums. */
  private static boolean isComplete(Path checkpoint, int unit) throws IOException {
    try {
      Map<String, Object> manifest = Json.object(Files.readString(checkpoint.resolve(MANIFEST)));
      boolean complete = manifest.get("unit").equals((long) unit);
      for (Object entry : (List<?>) manifest.get("files")) {
        Map<?, ?> file = (Map<?, ?>) entry;
        byte[] bytes = Files.readAllBytes(checkpoint.resolve((String) file.get("name")));
        complete &= file.get("size").equals((long) bytes.length);
        complete &= sha256(bytes).equals(file.get("sha256"));
      }
      return complete;
    } catch (NoSuchFileException | IllegalArgumentException incomplete) {
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

  /** Flushes a file or folder to disk, so that it survives a power failure. */
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
