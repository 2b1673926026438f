/** Files and folders that only their owner can access. */
@NullMarked
package io.elastune.core.files;

import org.jspecify.annotations.NullMarked;
