/** The trial protocol (docs/trial-protocol.md): the parts that all engines share. */
@NullMarked
package io.elastune.executor.protocol;

import org.jspecify.annotations.NullMarked;
