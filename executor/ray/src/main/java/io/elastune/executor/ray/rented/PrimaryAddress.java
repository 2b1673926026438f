package io.elastune.executor.ray.rented;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Finds the address from which this machine reaches others. */
final class PrimaryAddress {
  /** A public address to which nothing is sent: TEST-NET-1 of RFC 5737. */
  private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("192.0.2.1", 9);

  /** The address of a machine without a network. */
  static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

  private PrimaryAddress() {}

  /** Returns the address; the loopback address of a machine without a network. */
  static String find() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(ELSEWHERE);
      InetAddress local = socket.getLocalAddress();
      if (!local.isAnyLocalAddress()) {
        return local.getHostAddress();
      }
    } catch (IOException | UncheckedIOException e) {
      return LOOPBACK; // no route to the internet
    }
    return LOOPBACK;
  }
}
