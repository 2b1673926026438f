package io.elastune.executor.ray.rented;

import io.elastune.executor.ray.head.RayEnvironment;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The script with which an instance joins the Ray cluster of a run. It is part of the instance's
 * user data, so it contains no secrets but the cluster's token and the URL of the runtime.
 *
 * @param head the address of the head
 * @param token the cluster's token
 * @param versions Python and Ray of the head
 * @param delivery sends the node runtime; empty if the image has an interpreter with Ray
 * @param settings the settings of instances
 */
record JoinScript(
    String head,
    String token,
    RayPython versions,
    Optional<RuntimeDelivery> delivery,
    RentedSettings settings) {
  private static final String SCRIPT = resource("join.sh");

  /** Returns the setup of an instance. */
  NodeSetup of(LeaseRequest request) {
    String script =
        SCRIPT
            .replace("@LEASE@", request.lease())
            .replace("@PYTHON@", settings.python().orElse(""))
            .replace("@RUNTIME@", delivery.map(RuntimeDelivery::version).orElse(""))
            .replace("@SHA256@", delivery.map(RuntimeDelivery::sha256).orElse(""))
            .replace("@URL@", delivery.map(RuntimeDelivery::url).orElse(""))
            .replace("@VERSION@", versions.python())
            .replace("@RAY@", versions.ray())
            .replace("@TOKEN@", token)
            .replace("@HEAD@", head)
            .replace("@GPUS@", Integer.toString(request.offer().gpus()))
            .replace("@ENVIRONMENT@", environment());
    NodeSetup setup =
        new NodeSetup(script, settings.nodeFolder(), Map.of(), "")
            .reportedUntil(settings.agentRoot() + "/" + request.lease());
    return settings.folder().isPresent() ? setup : setup.onLocalDisk();
  }

  private static String environment() {
    return RayEnvironment.node().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String resource(String name) {
    try (InputStream stream = JoinScript.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Omits the token. */
  @Override
  public String toString() {
    return "JoinScript[" + head + "]";
  }
}
