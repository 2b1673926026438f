/** Search algorithms: the configurations of the trials. */
@NullMarked
package io.elastune.executor.search;

import org.jspecify.annotations.NullMarked;
