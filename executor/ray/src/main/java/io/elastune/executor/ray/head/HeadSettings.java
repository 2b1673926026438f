package io.elastune.executor.ray.head;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a run's head.
 *
 * @param folder the folder of its files, in the run's folder
 * @param python the interpreter with Ray
 * @param host the address of this machine at which nodes reach the head
 * @param port its port; 0 for any free port
 * @param timeToLive the time after which the head ends without its controller
 */
public record HeadSettings(
    Path folder, RayPython python, String host, int port, Duration timeToLive) {
  /** Returns the file with the token of the head whose files are in a folder. */
  public static Path token(Path folder) {
    return folder.resolve("token");
  }

  static Path state(Path folder) {
    return folder.resolve("head.json");
  }

  Path state() {
    return state(folder);
  }

  Path token() {
    return token(folder);
  }

  /** A file that the controller touches as long as it is alive. */
  Path alive() {
    return folder.resolve("alive");
  }

  Path log() {
    return folder.resolve("head.log");
  }
}
