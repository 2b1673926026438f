/** The part of {@code elastune --host} on the controller machine: the command {@code remote}. */
@NullMarked
package io.elastune.cli.remote;

import org.jspecify.annotations.NullMarked;
