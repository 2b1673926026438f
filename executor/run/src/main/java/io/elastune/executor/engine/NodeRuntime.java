package io.elastune.executor.engine;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A runtime that an engine brings to its nodes, so that their images need no interpreter of its
 * own.
 *
 * @param version its name; runtimes with other files have other names
 * @param folder the unpacked files on this machine
 * @param archive the compressed archive that nodes fetch
 * @param sha256 the SHA-256 of the archive, in hexadecimal digits
 * @param bytes the size of the archive
 * @param architecture the processors on which it runs, such as {@code x86_64}
 * @param contents what it contains, for messages, e.g. {@code Python 3.11.3 and Ray 2.58.0}
 * @param glibc the oldest version of the GNU C library with which it runs
 * @param built when it was built
 */
public record NodeRuntime(
    String version,
    Path folder,
    Path archive,
    String sha256,
    long bytes,
    String architecture,
    String contents,
    String glibc,
    Instant built) {}
