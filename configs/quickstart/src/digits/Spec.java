package digits;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The input of a worker, as docs/trial-protocol.md defines it. */
record Spec(
    Map<String, Object> config,
    int from,
    int to,
    Path checkpointDir,
    int rank,
    int worldSize,
    long seed) {

  static Spec read() throws IOException {
    Map<String, Object> json = Json.object(Files.readString(Path.of(env("ELASTUNE_TRIAL_JSON"))));
    @SuppressWarnings("unchecked") // Json creates no other maps
    Map<String, Object> config = (Map<String, Object>) get(json, "config");
    return new Spec(
        config,
        integer(json, "from"),
        integer(json, "to"),
        Path.of((String) get(json, "checkpoint_dir")),
        integer(json, "rank"),
        integer(json, "world_size"),
        ((Number) get(json, "seed")).longValue());
  }

  /** Returns the address on which rank 0 listens. Used only with more than one worker. */
  InetSocketAddress master() {
    return new InetSocketAddress(env("MASTER_ADDR"), Integer.parseInt(env("MASTER_PORT")));
  }

  double number(String hyperparameter) {
    return ((Number) get(config, hyperparameter)).doubleValue();
  }

  private static int integer(Map<String, Object> json, String field) {
    return Math.toIntExact((Long) get(json, field));
  }

  private static Object get(Map<String, Object> json, String field) {
    Object value = json.get(field);
    if (value == null) {
      throw new IllegalArgumentException("ELASTUNE_TRIAL_JSON or its config lacks " + field);
    }
    return value;
  }

  private static String env(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalArgumentException(
          name + " is not set: start this trial with 'elastune run'");
    }
    return value;
  }
}
