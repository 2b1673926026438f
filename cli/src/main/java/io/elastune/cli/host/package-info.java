/** The option {@code --host}: runs a command on a controller machine over ssh. */
@NullMarked
package io.elastune.cli.host;

import org.jspecify.annotations.NullMarked;
