/** The local engine: runs workers as processes of this machine. */
@NullMarked
package io.elastune.executor.local;

import org.jspecify.annotations.NullMarked;
