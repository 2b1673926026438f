package io.elastune.executor.ray.rented;

import io.elastune.executor.ray.head.RayPython;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.RefusalReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** Checks whether the head of a Ray cluster could run on this machine. */
public final class RentedCheck {
  private static final String ADDRESS = "Ray head address";

  private RentedCheck() {}

  /** Returns the results. Starts nothing. */
  public static List<CheckResult> check(CloudContext context) {
    RentedSettings settings = RentedSection.read(context.settings());
    return List.of(python(settings), address(settings));
  }

  private static CheckResult python(RentedSettings settings) {
    try {
      RayPython python = RayPython.find(settings.headPython(), RentedCluster.HEAD_PYTHON);
      return CheckResult.passed(
          "Ray on this machine",
          "Ray " + python.ray() + ", Python " + python.python() + ": " + python.command());
    } catch (CloudException e) {
      return CheckResult.failed(
          "Ray on this machine",
          e.failure().message(),
          "install Ray "
              + RayPython.TESTED
              + ", and name its interpreter as "
              + RentedCluster.HEAD_PYTHON
              + " in clouds.yaml",
          RefusalReason.INVALID);
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
