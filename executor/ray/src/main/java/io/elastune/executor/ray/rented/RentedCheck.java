package io.elastune.executor.ray.rented;

import io.elastune.core.config.FileProblem;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.executor.ray.runtime.RuntimeBucket;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.ProcessorArchitecture;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.SettingsProblems;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;

/** Checks the interpreters of a Ray cluster, and whether its head could run on this machine. */
public final class RentedCheck {
  private static final String ADDRESS = "Ray head address";
  private static final String ON_THIS_MACHINE = "Ray on this machine";
  private static final String ON_INSTANCES = "Ray on instances";
  private static final long BYTES_PER_MB = 1_000_000;

  private RentedCheck() {}

  /** Returns all problems of the section {@code rented_nodes}. */
  public static List<FileProblem> settingsProblems(CloudContext context) {
    return SettingsProblems.of(() -> RentedSection.read(context.settings()));
  }

  /**
   * Returns the results. Starts nothing.
   *
   * @param provider rents the instances
   * @param places the places of the instances; empty for all
   */
  public static List<CheckResult> check(
      CloudContext context, CloudProvider provider, List<String> places) {
    RentedSettings settings = RentedSection.read(context.settings());
    try {
      NodePython interpreters = NodePython.find(settings, context, Optional.empty());
      String source = source(interpreters, context, provider, places);
      return List.of(head(interpreters), nodes(interpreters, settings, source), address(settings));
    } catch (CloudException e) {
      return List.of(
          failed(ON_INSTANCES, e, "run '" + NodePython.BUILD + "' on this machine"),
          address(settings));
    }
  }

  /**
   * Returns why instances with processors of an architecture cannot run trials; empty if they can.
   */
  public static Optional<String> refusal(CloudContext context, String architecture) {
    if (architecture.equals(ProcessorArchitecture.X86_64)
        || RentedSection.read(context.settings()).python().isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        architecture
            + " processors, and the node runtime is for "
            + ProcessorArchitecture.X86_64
            + ": use other instance types, or an image with Ray, and name its interpreter as"
            + " rented_nodes.python in clouds.yaml");
  }

  private static CheckResult head(NodePython interpreters) {
    try {
      RayPython python = RayPython.find(interpreters.head(), RentedCluster.HEAD_PYTHON);
      return CheckResult.passed(
          ON_THIS_MACHINE,
          "Ray " + python.ray() + ", Python " + python.python() + ": " + python.command());
    } catch (CloudException e) {
      return failed(
          ON_THIS_MACHINE,
          e,
          "run '"
              + NodePython.BUILD
              + "', or install Ray "
              + RayPython.TESTED
              + " and name its interpreter as "
              + RentedCluster.HEAD_PYTHON
              + " in clouds.yaml");
    }
  }

  private static CheckResult failed(String check, CloudException e, String remedy) {
    return CheckResult.failed(check, e.failure().message(), remedy, RefusalReason.INVALID);
  }

  private static CheckResult nodes(
      NodePython interpreters, RentedSettings settings, String source) {
    if (settings.python().isPresent()) {
      return CheckResult.unknown(
          ON_INSTANCES,
          settings.python().get() + " of their image; only an instance can test it",
          "its Python and Ray must have the versions of this machine; without rented_nodes.python,"
              + " instances get the node runtime");
    }
    NodeRuntime runtime = interpreters.runtime().orElseThrow();
    return CheckResult.passed(
        ON_INSTANCES,
        "%s from the node runtime (%d MB, %s, glibc %s or newer), which %s"
            .formatted(
                runtime.contents(),
                runtime.bytes() / BYTES_PER_MB,
                runtime.architecture(),
                runtime.glibc(),
                source));
  }

  /** Returns where instances get the node runtime from; empty if they do not fetch it. */
  private static String source(
      NodePython interpreters, CloudContext context, CloudProvider provider, List<String> places) {
    Optional<RuntimeBucket> bucket = interpreters.bucket(context, provider, places);
    if (bucket.isEmpty()) {
      return "this machine sends: no bucket";
    }
    try {
      return (bucket.get().isStored() ? "is in " : "the next run stores in ") + bucket.get();
    } catch (CloudException e) {
      return "this machine sends, as " + bucket.get() + " cannot be used: " + e.getMessage();
    }
  }

  private static CheckResult address(RentedSettings settings) {
    String host = settings.headAddress().orElseGet(PrimaryAddress::find);
    String remedy = "set rented_nodes.head_address in clouds.yaml to an address of this machine";
    try {
      InetAddress address = InetAddress.getByName(host);
      new ServerSocket(settings.headPort(), 1, address).close();
      if (address.isLoopbackAddress() && settings.headAddress().isEmpty()) {
        return CheckResult.failed(
            ADDRESS,
            host + " is reachable from this machine only: instances cannot join",
            remedy,
            RefusalReason.INVALID);
      }
      return CheckResult.unknown(
          ADDRESS,
          host + " is an address of this machine; only an instance can test whether it reaches it",
          "allow all TCP ports between this machine and instances (docs/rented-nodes.md)");
    } catch (IOException e) {
      return CheckResult.failed(
          ADDRESS,
          "the head cannot listen on "
              + host
              + (settings.headPort() == 0 ? "" : ":" + settings.headPort())
              + ": "
              + e.getMessage(),
          remedy,
          RefusalReason.INVALID);
    }
  }
}
